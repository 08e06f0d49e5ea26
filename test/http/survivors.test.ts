import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import { repeatMessage, repeatRequest } from "../helpers/http/repeated-request.js";
import { ServerProcess } from "../helpers/servers/process.js";
import { address, methodName } from "../helpers/servers/record.js";
import { countsSurvivors, survivorsOf } from "../helpers/survivors.js";

const warmUp = sized(1000, 4000);
const calls = sized(3000, 20_000);
/** A call that keeps its request until a full collection takes 4 kB. */
const maxBytes = 3_000_000;

const call = (id: number) => ({ jsonrpc: "2.0", id, method: methodName, params: { address } });
const tenCalls = Array.from({ length: 10 }, (_, id) => call(id));

const kinds = [
  { kind: "GET", path: `/api/v2/${methodName}?address=${address}`, repeat: repeatRequest },
  { kind: "POST", path: "/api/v2/jsonRPC", body: call(1), repeat: repeatRequest },
  { kind: "strict POST", path: "/jsonRPC", body: call(1), repeat: repeatRequest },
  { kind: "a batch of ten", path: "/jsonRPC", body: tenCalls, repeat: repeatRequest },
  { kind: "a WebSocket", path: "/jsonRPC", body: call(1), repeat: repeatMessage },
];

describe("answered calls", () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await ServerProcess.start("full", { flags: countsSurvivors });
  });

  afterAll(() => server.close());

  it.each(kinds)("leave nothing that outlives a scavenge: $kind", async ({ repeat, ...request }) => {
    const { url, headers = {} } = server.hello;
    const ask = (times: number) => repeat(url, { ...request, headers }, times);
    await ask(warmUp);
    const { scavenges, survived } = await survivorsOf(server.child, () => ask(calls));
    expect(scavenges).toBeGreaterThan(0);
    expect(survived).toBeLessThan(maxBytes);
  });
});
