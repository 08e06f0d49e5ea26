import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawEventStream } from "../helpers/event-stream.js";
import { freePort } from "../helpers/free-port.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { startService, type TestService } from "../helpers/service.js";
import { openSocket } from "../helpers/socket.js";
import { streamsReady } from "../helpers/streams-ready.js";
import { until } from "../helpers/until.js";
import { textOf } from "./deployed-files.js";

const haveNginx = spawnSync("nginx", ["-v"]).status === 0;
if (!haveNginx) console.warn("Tests of the nginx configuration are skipped: install nginx.");

const someone = `0:${"3".repeat(64)}`;

describe.runIf(haveNginx)("nginx with the configuration", () => {
  let service: TestService;
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    service = await startService({ index: true, trustProxy: { hops: 1 }, mining: "message" });
    const folder = folderInRun("tonwire-deploy-");
    // Its workers have another user.
    chmodSync(folder, 0o755);
    const port = await freePort();
    const path = join(folder, "nginx.conf");
    const text = textOf("nginx.conf")
      .replaceAll("/tmp/", `${folder}/`)
      .replace("listen 8080;", `listen 127.0.0.1:${port};`)
      .replace(/server api-\d:8081/g, `server ${new URL(service.url).host}`);
    writeFileSync(path, text);
    const checked = spawnSync("nginx", ["-t", "-c", path, "-e", "stderr"], { encoding: "utf8" });
    expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining("test is successful")]);
    const nginx = spawn("nginx", ["-c", path, "-e", "stderr", "-g", "daemon off;"], { stdio: "ignore" });
    stop = async () => {
      nginx.kill("SIGTERM");
      if (nginx.exitCode === null) await once(nginx, "exit");
    };
    url = `http://127.0.0.1:${port}`;
    await until("nginx", () =>
      fetch(`${url}/healthcheck`).then(
        () => true,
        () => false,
      ),
    );
    await streamsReady(service);
  });
  afterAll(async () => {
    await stop?.();
    await service?.close();
  });

  const post = async (body: unknown, headers: Record<string, string> = {}) => {
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
    const forged = { "X-Forwarded-For": "203.0.113.9" };
    expect((await post(call("devnet.mine"), forged)).json).toHaveProperty("result");
    const direct = await service.post("/jsonRPC", call("devnet.mine"), { key: null, headers: forged });
    expect(direct.json).toMatchObject({ error: { data: { kind: "forbidden" } } });
  });
});
