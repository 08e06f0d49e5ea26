import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../server/errors.js";
import { CallHistory } from "../../server/observe/call-history.js";
import type { BoundMethod } from "../../server/rpc/bind.js";
import { pointsOf } from "../../server/rpc/call-points.js";
import { strictError } from "../../server/rpc/json-rpc/strict-dialect.js";
import { ParamReader } from "../../server/rpc/params/params.js";
import { Positions } from "../../server/rpc/params/positions.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { cpuMs, cpuMsUntil, leastCpuMs } from "../helpers/cpu-time.js";
import { isLong, sized, variants } from "../helpers/effort.js";
import { openSocket } from "../helpers/http/socket.js";
import { startService, type TestService } from "../helpers/services/service.js";

// Long texts of what parsers repeat, with an end that fits nothing. A parser that takes time by the square of their length needs
// many seconds for one of them. Then long lists and objects: to read or refuse one takes little longer than to parse it.

/** Characters of numbers, addresses, hashes, base64, lists, names and JSON. */
const units = [
  ...'09aA+- .,%=/:_\\"[\0\n',
  ...["1.", ".0", "1e", "0x", "-1,", "0,", "a,", "A=", "%2C", "0:", '{"a":', '\\"', "é", "𝒳", "\ud800"],
];

const longText = (unit: string, size: number) => `${unit.repeat(size / unit.length)}!`;
const shapes = units.map((unit) => [unit, longText(unit, sized(100_000, 400_000))] as const);

/** The schema of a parameter's values without its texts: parameters with the same one are read alike. */
const kindOf = (field: z.ZodType) =>
  JSON.stringify(z.toJSONSchema(field, { io: "input", unrepresentable: "any" }), (key, value) =>
    ["description", "examples", "default"].includes(key) ? undefined : value,
  );
const seenKinds = new Set<string>();

/** The methods, each with the parameters of kinds that no earlier one has. The long run has all of them. */
const methods = flatten(registry).flatMap(([name, definition]) => {
  const fields = Object.entries<z.ZodType>(definition.params.shape);
  const own = fields.filter(([, field]) => isLong || seenKinds.size < seenKinds.add(kindOf(field)).size);
  return own.length > 0 ? [{ name, definition, keys: own.map(([key]) => key) }] : [];
});
type Method = (typeof methods)[number];

/** All, or outside the long run a fourth: the next method, which has parameters of similar kinds, has the next fourth. */
function shapesFor(method: Method): typeof shapes {
  const every = sized(4, 1);
  return shapes.filter((_, index) => (index + methods.indexOf(method)) % every === 0);
}

/** Generous: the slowest, a list of half a million items, takes a third. */
const limitMs = 250;
/** Limit for a request, including other work of the service. */
const requestLimitMs = 1000;

/** Copies of a value, each with another of its texts replaced. */
function* withText(value: unknown, replacement: unknown): Generator<unknown> {
  if (typeof value === "string") yield replacement;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value))
    for (const changed of withText(member, replacement)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = changed;
      yield copy;
    }
}

/** The examples of a method with a value in the place of each text of its own kinds of parameters. */
const examplesWith = ({ definition, keys }: Method, value: unknown) =>
  definition.examples.flatMap(({ params }) =>
    keys.flatMap((key) =>
      [...withText(params[key], value)].map((changed) => ({ ...params, [key]: changed })),
    ),
  );
const apiOf = ({ name }: Method) => (name.startsWith("v3.") ? "v3" : "v2");

it.each(methods)("a long text for a parameter of $name is read or refused at once", (method) => {
  const reader = new ParamReader(method.definition.params, apiOf(method));
  for (const [unit, text] of shapesFor(method))
    for (const object of [...method.keys.map((key) => ({ [key]: text })), ...examplesWith(method, text)]) {
      const used = cpuMs(limitMs, () => {
        try {
          reader.read({ object });
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          expect(error.code).toBe("invalid-params");
        }
      });
      expect([unit, used < limitMs || [used, Object.keys(object)]]).toEqual([unit, true]);
    }
});

/** Bytes of JSON of each value that is no text. */
const valueBytes = sized(100_000, 400_000);
const listOf = (json: string) => `[${json}${`,${json}`.repeat(valueBytes / (json.length + 1) - 1)}]`;
const members = Array.from({ length: valueBytes / 10 }, (_, i) => `"k${i}":1`).join();
const deep = `${"[".repeat(500)}1${"]".repeat(500)}`;

/** Lists, nested lists and objects as JSON. */
const values = variants<readonly [name: string, json: string]>(
  [
    ["ones", listOf("1")],
    ["deep lists", listOf(deep)],
    ["a list of an object of many keys", `[{${members}}]`],
    ["an object of many keys", `{${members}}`],
  ],
  [
    ["texts", listOf('"a"')],
    ["hashes", listOf(`"${"A".repeat(43)}="`)],
    ["a list of a long list", `[[1,2],${listOf("1")}]`],
    ["stack entries", listOf('["num","1"]')],
    ["objects", listOf('{"a":1}')],
    ["an object with a long key", `{"${"k".repeat(valueBytes)}":1}`],
  ],
);

/** Limit in processor times of `JSON.parse`. One that shows the whole value takes ten of them. */
const maxRatio = 6;
/** Each parameter may take as long as this, however quickly its value is parsed. */
const leastLimitMs = sized(1, 4);
/** The processor time of a thread is counted in steps of a quarter of it. */
const clockMs = 16;
/** Time for each point of a list whose items are read: ten of them cost one. */
const msPerPoint = 0.01;

/** Other work may fall into some of the runs. */
const maxRuns = 10;
const parses = 10;
const parse = (json: string) => {
  for (let times = 0; times < parses; times++) JSON.parse(json);
};
const parseMs = new Map(
  values.map(([name, json]) => [name, leastCpuMs(0, () => json, parse, sized(2, maxRuns)) / parses]),
);

/** How many times as long as then the machine takes now to parse a value. */
function slowness(): number {
  let [then, now] = [0, 0];
  for (const [name, json] of values) {
    then += parseMs.get(name)! * parses;
    now += leastCpuMs(0, () => json, parse, 1);
  }
  return Math.max(1, now / then);
}

describe.each(methods)("a long list or object for a parameter of $name", (tested) => {
  const { name, definition, keys } = tested;
  const api = apiOf(tested);
  const params = new ParamReader(definition.params, api);
  const positions = new Positions(definition.params);
  const method: BoundMethod = { name, api, definition, params, positions, run: () => undefined };

  /** The work of a call before its handler, and after it was refused. */
  function read(object: Record<string, unknown>): void {
    pointsOf(method, { object });
    try {
      params.read({ object }, true);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      expect(error.code).toBe("invalid-params");
      expect(strictError(1, error, api).length).toBeLessThan(3000);
    }
    const history = new CallHistory();
    history.add({ at: 0, method: name, params: params.sent({ object }), durationMs: 0, outcome: "" });
    expect(JSON.stringify(history.newest({ limit: 1 })).length).toBeLessThan(10_000);
  }

  it.each(values)("takes little longer than to parse it: %s", (shape, json) => {
    const value: unknown = JSON.parse(json);
    const given = [
      ...keys.map((key) => ({ [key]: value })),
      ...examplesWith(tested, value),
      ...(json.startsWith("{") ? [value] : []),
    ] as Record<string, unknown>[];
    const parsing = Math.max(leastLimitMs, maxRatio * parseMs.get(shape)!);
    let limitMs = clockMs;
    for (const object of given) limitMs += parsing + msPerPoint * pointsOf(method, { object });
    // A reader recognises an object that it has read.
    const copies = () => given.map((object) => ({ ...object }));
    const readAll = (all: readonly Record<string, unknown>[]) => {
      for (const object of all) read(object);
    };
    let usedMs = Number.POSITIVE_INFINITY;
    for (let runs = 0; runs < maxRuns && usedMs > limitMs; runs++) {
      usedMs = leastCpuMs(limitMs, copies, readAll, 1);
      if (usedMs > limitMs) usedMs /= slowness();
    }
    expect(usedMs).toBeLessThanOrEqual(limitMs);
  });
});

describe("a whole service", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ anonymousRps: "unlimited", trustProxy: { hops: 1000 } });
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
  const values = units
    .filter((unit) => /^[ -~]+$/.test(unit))
    .filter((_, index) => index % sized(4, 1) === 0)
    .map((unit) => longText(unit, 60_000));

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
