import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTurn, longResult } from "../../server/methods/devnet/long-answers.js";
import { ReadTurns } from "../../server/store/read-turns.js";
import type { Call } from "../../shared/methods/define.js";
import { codeOf, place } from "../helpers/contracts/contracts.js";
import { openSocket } from "../helpers/http/socket.js";
import { someAddress } from "../helpers/index/detection.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import type { Answer } from "../helpers/services/service.js";

describe("the JSON of a long result", () => {
  const pieces = 200_000;
  const call = (spent?: (ms: number) => void): Call =>
    ({ signal: new AbortController().signal, spent }) as unknown as Call;
  const made = async (long: string | Uint8Array, others: object = {}) =>
    JSON.parse((await longResult("long", long, others, call())).text);

  it("is that of the value, wherever a piece ends", async () => {
    const line = 'stack: [ 1 "a" \\ ]\n';
    for (const text of [
      "",
      line,
      line.repeat(30_000),
      "é𝒳".repeat(pieces),
      `a${"𝒳".repeat(pieces)}`,
      "\ud800",
    ])
      expect((await made(text)).long === text).toBe(true);
    for (const length of [0, 1, 2, 3, pieces - 1, 3 * pieces + 1]) {
      const bytes = new Uint8Array(length).map((_, i) => i);
      expect((await made(bytes)).long === Buffer.from(bytes).toString("base64")).toBe(true);
    }
    expect(await made("x", { exit_code: 0, actions: "" })).toEqual({ long: "x", exit_code: 0, actions: "" });
  });

  it("is paid for", async () => {
    let spentMs = 0;
    await longResult(
      "long",
      "x".repeat(3_000_000),
      {},
      call((ms) => {
        spentMs += ms;
      }),
    );
    expect(spentMs).toBeGreaterThan(0);
  });
});

describe("turns in making long answers", () => {
  it("come to a caller one after the other, also after one that failed", async () => {
    const turns = new ReadTurns({ fast: 2, slow: 0 });
    const running: string[] = [];
    const seen: string[] = [];
    const ask = (caller: string, fails = false) =>
      inTurn(turns, { caller, signal: new AbortController().signal } as unknown as Call, async () => {
        running.push(caller);
        seen.push([...running].sort().join());
        await new Promise((resolve) => setImmediate(resolve));
        running.splice(running.indexOf(caller), 1);
        if (fails) throw new Error("no such transaction");
      });
    const asked = [ask("a", true), ask("a"), ask("a"), ask("b"), ask("b"), ask("c")];
    const ends = await Promise.allSettled(asked);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", ...new Array(5).fill("fulfilled")]);
    expect(seen).toHaveLength(6);
    expect(seen).toContain("a,b");
    expect(seen.filter((each) => each === "a,a" || each === "b,b" || each.length > 3)).toEqual([]);
  });
});

describe("a devnet with a limit of calls", () => {
  let service: DevnetService;
  let hash: string;
  let addresses = 0;
  /** Another address than those before, as its proxy names it. */
  const someone = () => ({ key: null, headers: { "X-Forwarded-For": `192.0.2.${++addresses}` } });
  const log = () => ({ jsonrpc: "2.0", id: 1, method: "devnet.transactionLog", params: { hash } });
  const cheap = { jsonrpc: "2.0", id: 2, method: "getMasterchainInfo", params: {} };
  const logIn = (json: unknown) => (json as { result: { vm_log: string; exit_code: number } }).result;

  beforeAll(async () => {
    service = await startDevnetService({ trustProxy: { hops: 1 }, anonymousRps: 1 });
    const contract = someAddress(0x31).toRaw();
    // ACCEPT, 4000 PUSHINT, PUSHCONT { NOP }, REPEAT.
    const code = codeOf("F800810FA09100E4");
    await place(service, { address: contract, code, balance: "10000000000" });
    const message = { from: someAddress(0x32).toRaw(), to: contract, value: "1000000000" };
    hash = (await service.run<{ tx_hash: string }>("devnet.impersonate", message)).tx_hash;
  });
  afterAll(() => service.close());

  const waitOf = ({ status, headers }: Answer) => (status === 429 ? Number(headers.get("Retry-After")) : 0);

  it("lets every reader have a log, who pays for its bytes", async () => {
    const from = someone();
    const { status, json, text } = await service.post("/jsonRPC", log(), from);
    const { vm_log: found, exit_code: exitCode } = logIn(json);
    expect([status, exitCode]).toEqual([200, 0]);
    expect(found.match(/execute NOP/g)).toHaveLength(4000);
    const points = Math.floor(text.length / 65_536);
    expect(points).toBeGreaterThan(3);
    expect(waitOf(await service.post("/jsonRPC", cheap, from))).toBeGreaterThanOrEqual(points - 2);
  });

  it("answers it alike over all transports", async () => {
    const first = logIn((await service.post("/jsonRPC", log())).json);
    expect(first.vm_log.length).toBeGreaterThan(200_000);
    const batch = (await service.post("/jsonRPC", [cheap, log(), cheap])).json as unknown[];
    expect(logIn(batch[1])).toEqual(first);
    expect(logIn((await service.post("/api/v2/jsonRPC", log())).json)).toEqual(first);
    const socket = await openSocket(service.url, { headers: { "X-API-Key": service.key } });
    socket.send(log());
    expect(logIn(await socket.next())).toEqual(first);
    socket.close();
  });

  it("refuses an export to callers who may not change it", async () => {
    const order = { jsonrpc: "2.0", id: 1, method: "devnet.exportState", params: {} };
    const { json } = await service.post("/jsonRPC", order, someone());
    expect(json).toMatchObject({ error: { data: { kind: "forbidden" } } });
    const { state } = await service.run<{ state: string }>("devnet.exportState");
    expect(Buffer.from(state, "base64").toString("latin1")).toMatch(/^tonwire devnet state 1\n/);
  });
});
