import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawEventStream } from "../helpers/event-stream.js";
import { startService, type TestService } from "../helpers/service.js";
import { openSocket } from "../helpers/socket.js";
import { streamsReady } from "../helpers/streams-ready.js";
import { textOf } from "./deployed-files.js";
import { haveNginx, type Nginx, startNginx } from "./nginx.js";

if (!haveNginx) console.warn("Tests of the nginx configuration are skipped: install nginx.");

const someone = `0:${"3".repeat(64)}`;

describe.runIf(haveNginx)("nginx with the configuration", () => {
  let service: TestService;
  let url: string;
  let nginx: Nginx;

  beforeAll(async () => {
    service = await startService({ index: true, trustProxy: { hops: 1 }, mining: "message" });
    nginx = await startNginx((port) =>
      textOf("nginx.conf")
        .replace("listen 8080;", `listen 127.0.0.1:${port};`)
        .replace(/server api-\d:8081/g, `server ${new URL(service.url).host}`),
    );
    url = nginx.url;
    await streamsReady(service);
  });
  afterAll(async () => {
    await nginx?.stop();
    await service?.close();
  });

  const post = async (body: unknown, headers: Record<string, string> = { "X-API-Key": service.key }) => {
    const answer = await fetch(`${url}/jsonRPC`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: (await answer.json()) as { result?: unknown } };
  };
  const call = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

  it("passes calls on, and bodies up to the limit of the service", async () => {
    expect((await post(call("rpc.ping"))).json).toMatchObject({ result: "pong" });
    const long = { ...call("rpc.ping"), more: "x".repeat(900_000) };
    expect((await post(long)).json).toMatchObject({ result: "pong" });
    const tooLong = await fetch(`${url}/jsonRPC`, { method: "POST", body: "x".repeat(1_100_000) });
    expect(tooLong.status).toBe(413);
  });

  it("carries a WebSocket with its calls and subscriptions", async () => {
    const socket = await openSocket(url, { headers: { "X-API-Key": service.key } });
    socket.send(call("subscribe", { kind: "blocks" }));
    expect(await socket.next()).toMatchObject({ id: 1, result: { subscription: expect.any(String) } });
    await service.rpc("devnet.mine");
    expect(await socket.next()).toMatchObject({ method: "subscription" });
    socket.close();
  });

  it("hands events on as they come", async () => {
    const request = { types: ["account_state_change"], addresses: [someone], min_finality: "finalized" };
    // Limits that clients set for themselves do not count.
    const headers = { "Content-Type": "application/json", "X-Max-Subscribed-Addr": "0" };
    const stream = RawEventStream.open(url, request, { key: service.key, headers });
    expect(await stream.head()).toMatch(/^HTTP\/1.1 200 [\s\S]*text\/event-stream/);
    await service.rpc("devnet.faucet", { address: someone, amount: "1000000000" });
    await stream.event("the change", ({ type }) => type === "account_state_change");
    stream.close();
  });

  it("names the address of the client, whatever the client says", async () => {
    // All of them are from 127.0.0.1, so they share its points.
    const forged = Array.from({ length: 20 }, (_, i) =>
      post(call("rpc.ping"), { "X-Forwarded-For": `203.0.113.${i}` }),
    );
    expect((await Promise.all(forged)).map(({ status }) => status)).toContain(429);
  });
});
