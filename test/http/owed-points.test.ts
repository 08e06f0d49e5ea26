import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { place } from "../helpers/contracts/contracts.js";
import { dearContract } from "../helpers/contracts/dear-contracts.js";
import { openSocket } from "../helpers/http/socket.js";
import { someAddress } from "../helpers/index/detection.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import type { Answer } from "../helpers/services/service.js";
import { until } from "../helpers/until.js";

let service: DevnetService;
beforeAll(async () => {
  // The gas takes a fifth of a second of the dear contract. Nothing is paid while a test runs: the clock stands still.
  const settings = { trustProxy: { hops: 1 }, anonymousRps: 1, getMethodGasLimit: 400_000 } as const;
  service = await startDevnetService(settings, { now: () => 1_700_000_000_000 });
});
afterAll(() => service.close());

let addresses = 0;
/** Another address than those before, as its proxy names it. */
const someone = () => ({ key: null, headers: { "X-Forwarded-For": `192.0.2.${++addresses}` } });

const owners = Array.from({ length: 1000 }, (_, i) => `0:${i.toString(16).padStart(64, "0")}`);
const dear = {
  jsonrpc: "2.0",
  id: 1,
  method: "v3.jetton.wallets",
  params: { owner_address: owners, limit: 1000 },
};
const cheap = { jsonrpc: "2.0", id: 2, method: "getMasterchainInfo", params: {} };

/** Seconds until the caller of a refused request has a point. */
function waitOf({ status, headers }: Answer): number {
  expect(status).toBe(429);
  return Number(headers.get("Retry-After"));
}

describe("a call that costs 110 points, of a caller with one", () => {
  const ways: [name: string, ask: (from: ReturnType<typeof someone>) => Promise<Answer>][] = [
    ["JSON-RPC", (from) => service.post("/jsonRPC", dear, from)],
    ["TON Center's JSON-RPC", (from) => service.post("/api/v2/jsonRPC", dear, from)],
    ["a batch", (from) => service.post("/jsonRPC", [dear, cheap], from)],
  ];

  it.each(ways)("is served, and the windows that follow pay for it: %s", async (_, ask) => {
    const from = someone();
    const served = await ask(from);
    expect(served.status).not.toBe(429);
    const left = /"anonymous";r=0;t=(\d+)/.exec(served.headers.get("RateLimit") ?? "");
    expect(Number(left?.[1])).toBeGreaterThan(100);
    const wait = waitOf(await service.post("/jsonRPC", cheap, from));
    expect(wait).toBeGreaterThan(60);
    expect(wait).toBeLessThanOrEqual(110);
    // Refused calls add nothing.
    for (let i = 0; i < 2; i++) expect(waitOf(await ask(from))).toBeLessThanOrEqual(wait);
  });

  it("is owed over a WebSocket too", async () => {
    const { headers } = someone();
    const socket = await openSocket(service.url, { headers });
    const kindOf = async () =>
      (await socket.next()) as { error?: { data: { kind: string; retry_after: number } } };
    socket.send(dear);
    expect((await kindOf()).error?.data.kind).not.toBe("rate-limited");
    socket.send(cheap);
    const refused = (await kindOf()).error!.data;
    expect(refused.kind).toBe("rate-limited");
    expect(refused.retry_after).toBeGreaterThan(60);
    socket.close();
  });

  it("is not owed if it was refused as an entry of a batch", async () => {
    const from = someone();
    const list = { ...dear, params: { owner_address: owners.slice(0, 100), limit: 1000 } };
    const { status, json } = await service.post("/jsonRPC", [cheap, list, list], from);
    const entries = json as { ok: boolean; error?: { data: { kind: string; retry_after: number } } }[];
    expect([status, ...entries.map(({ error }) => error?.data.kind)]).toEqual([
      200,
      undefined,
      "rate-limited",
      "rate-limited",
    ]);
    expect(entries[2]!.error!.data.retry_after).toBe(1);
    const next = await service.post("/jsonRPC", cheap, from);
    expect(next.status === 200 || waitOf(next) === 1).toBe(true);
  });
});

it("a call that took long costs more points, which the windows that follow pay", async () => {
  const address = someAddress(0x20).toRaw();
  await place(service, { address, code: await dearContract(0) });
  const ask = (method: string, from: ReturnType<typeof someone>) =>
    service.post("/api/v2/runGetMethod", { address, method, stack: [] }, from);
  // The first runs load the configuration, which takes long on a slow machine.
  await until("a cheap run", async () => {
    const { status, headers } = await ask("seqno", someone());
    expect(status).toBe(200);
    return headers.get("RateLimit") === '"anonymous";r=0;t=1';
  });
  const from = someone();
  expect((await ask("burn", from)).status).toBe(200);
  const refused = await ask("seqno", from);
  // 100 ms of processor time are four points, of which there is one in a second.
  const seconds = waitOf(refused);
  expect(seconds).toBeGreaterThanOrEqual(3);
  expect(refused.headers.get("RateLimit")).toBe(`"anonymous";r=0;t=${seconds}`);
});

describe("a request of a megabyte", () => {
  const long = JSON.stringify({ ...cheap, padding: "x".repeat(1_000_000) });

  it.each([
    ["strict JSON-RPC", (from) => service.post("/jsonRPC", long, from)],
    ["TON Center's JSON-RPC", (from) => service.post("/api/v2/jsonRPC", long, from)],
    ["a batch", (from) => service.post("/jsonRPC", `[${long}]`, from)],
    [
      "REST",
      (from) => service.post("/api/v2/getAddressBalance", { address: owners[0], padding: long }, from),
    ],
    ["a model's", (from) => service.post("/mcp", long, from)],
    ["no JSON", (from) => service.post("/jsonRPC", `${long}}`, from)],
  ] as [name: string, ask: (from: ReturnType<typeof someone>) => Promise<Answer>][])(
    "is served, and its caller owes a point for each 64 KiB: %s",
    async (_, ask) => {
      const from = someone();
      expect((await ask(from)).status).not.toBe(429);
      const wait = waitOf(await service.post("/jsonRPC", cheap, from));
      expect(wait).toBeGreaterThan(5);
      expect(wait).toBeLessThanOrEqual(15);
    },
  );

  it("is not refused for its length if its call costs more points", async () => {
    const from = someone();
    const answer = await service.post("/jsonRPC", { ...dear, padding: "x".repeat(900_000) }, from);
    expect(answer.status).not.toBe(429);
    expect(answer.text).not.toContain("rate-limited");
    expect(waitOf(await service.post("/jsonRPC", cheap, from))).toBeGreaterThan(110);
  });

  it("is owed over a WebSocket too, also for a ping", async () => {
    for (const method of ["getMasterchainInfo", "rpc.ping"]) {
      const socket = await openSocket(service.url, { headers: someone().headers });
      socket.send(long.replace(cheap.method, method));
      expect(await socket.next()).toMatchObject({ ok: true });
      socket.send(cheap);
      const { error } = (await socket.next()) as { error: { data: { retry_after: number } } };
      expect(error.data.retry_after).toBeGreaterThan(5);
      socket.close();
    }
  });

  it("owes nothing if it is shorter than 64 KiB", async () => {
    const from = someone();
    await service.post("/jsonRPC", { ...cheap, padding: "x".repeat(60_000) }, from);
    const next = await service.post("/jsonRPC", cheap, from);
    expect(next.status === 200 || waitOf(next) === 1).toBe(true);
  });
});
