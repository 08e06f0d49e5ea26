import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../server/errors.js";
import { ParamReader } from "../../server/rpc/params.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { cpuMs, cpuMsUntil } from "../helpers/cpu-time.js";
import { sized } from "../helpers/effort.js";
import { openSocket } from "../helpers/http/socket.js";
import { startService, type TestService } from "../helpers/services/service.js";

// Texts as long as a request may be, of what parsers repeat, with an end that fits nothing. A parser that takes time by the
// square of their length needs minutes for one of them.

/** Characters of numbers, addresses, hashes, base64, lists, names and JSON. */
const units = [
  ...'09aA+- .,%=/:_\\"[\0\n',
  ...["1.", ".0", "1e", "0x", "-1,", "0,", "a,", "A=", "%2C", "0:", '{"a":', '\\"', "é", "𝒳", "\ud800"],
];

const longText = (unit: string, size: number) => `${unit.repeat(size / unit.length)}!`;
const shapes = units.map((unit) => longText(unit, sized(200_000, 1_000_000)));

/** Generous: the slowest, a list of half a million items, takes a third. */
const limitMs = 250;
/** Limit for a request, including other work of the service. */
const requestLimitMs = 1000;

/** Copies of a value, each with another of its texts replaced. */
function* withText(value: unknown, text: string): Generator<unknown> {
  if (typeof value === "string") yield text;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value))
    for (const changed of withText(member, text)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = changed;
      yield copy;
    }
}

describe.each(flatten(registry))(
  "a text as long as a request for a parameter of %s",
  (name, { params, examples }) => {
    const reader = new ParamReader(params, name.startsWith("v3.") ? "v3" : "v2");

    /** Whether the parameters were taken or refused, in time. */
    function expectQuick(object: Record<string, unknown>, shown: string): void {
      const used = cpuMs(() => {
        try {
          reader.read({ object });
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          expect(error.code).toBe("invalid-params");
        }
      });
      expect([shown, used < limitMs || used]).toEqual([shown, true]);
    }

    it("is read or refused at once", () => {
      for (const key of Object.keys(params.shape))
        for (const [index, text] of shapes.entries()) expectQuick({ [key]: text }, `${key}: ${units[index]}`);
    });

    it("is read or refused within the time of the examples", () => {
      const given = examples.map((example) => example.params);
      for (const [index, text] of shapes.entries())
        for (const object of given.flatMap((each) => [...withText(each, text)]))
          expectQuick(object as Record<string, unknown>, `${units[index]}`);
    });
  },
);

describe("a whole service", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ anonymousRps: "unlimited", trustProxy: { hops: 1000 }, index: true });
  });
  afterAll(() => service.close());

  const zeros = longText("0", 1_000_000);
  const refused = { error: { code: -32602 } };

  it.each([
    ["getAddressBalance", { address: zeros }],
    ["getTransactions", { address: `0:${"0".repeat(64)}`, lt: zeros }],
    ["lookupBlock", { workchain: 0, shard: 0, unixtime: zeros }],
    ["detectHash", { hash: zeros }],
    ["runGetMethod", { address: `0:${"0".repeat(64)}`, method: "seqno", stack: [["num", zeros]] }],
    ["devnet.revert", { id: zeros }],
    ["v3.transactions", { start_utime: zeros }],
    ["v3.messages", { opcode: zeros }],
  ])("refuses a long text at once: %s", async (method, params) => {
    const used = await cpuMsUntil(requestLimitMs, async () =>
      expect(await service.rpc(method, params)).toMatchObject(refused),
    );
    expect(used).toBeLessThan(requestLimitMs);
    const ofSocket = await cpuMsUntil(requestLimitMs, async () => {
      const socket = await openSocket(service.url, { headers: { "X-API-Key": service.key } });
      socket.send({ jsonrpc: "2.0", id: 1, method, params });
      expect(await socket.next()).toMatchObject(refused);
      socket.close();
    });
    expect(ofSocket).toBeLessThan(requestLimitMs);
  });

  /** Printable, as headers are. */
  const values = units.filter((unit) => /^[ -~]+$/.test(unit)).map((unit) => longText(unit, 60_000));

  const statusWith = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      request(`${service.url}/api/v2/getMasterchainInfo`, { headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode!));
      })
        .on("error", reject)
        .end();
    });

  it.each([
    "X-Forwarded-For",
    "Forwarded",
    "X-Real-IP",
    "Host",
    "Origin",
    "X-API-Key",
    "Authorization",
    "Cookie",
    "Accept",
    "Accept-Encoding",
    "Content-Type",
    "Connection",
    "Upgrade",
    "Sec-WebSocket-Protocol",
    "If-None-Match",
    "Last-Event-ID",
    "X-Timeout",
    "X-Actions-Version",
    "X-No-Metadata",
  ])("reads a long header at once: %s", async (name) => {
    for (const [index, value] of values.entries()) {
      const used = await cpuMsUntil(requestLimitMs, async () =>
        expect(await statusWith({ [name]: value })).toBeLessThan(500),
      );
      expect([index, used < requestLimitMs || used]).toEqual([index, true]);
    }
  });
});
