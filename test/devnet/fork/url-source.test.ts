import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ForkOrigin } from "../../../server/devnet/fork/origin.js";
import { Address } from "../../../shared/values/address.js";
import type { Timers } from "../../../shared/values/timers.js";
import { originFor } from "../../helpers/chain/fork-origin.js";
import { freePort } from "../../helpers/free-port.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { startService, type TestService } from "../../helpers/services/service.js";
import { until } from "../../helpers/until.js";

let service: TestService;
beforeAll(async () => {
  service = await startService({ mining: "message" });
});
afterAll(() => service.close());

const nobody = new Address(0, new Uint8Array(32).fill(0x77));

async function result<T>(method: string, params: object): Promise<T> {
  return ((await service.rpc(method, params)) as { result: T }).result;
}

async function faucet(): Promise<Address> {
  const { faucet } = await result<{ faucet: { address: string } }>("devnet.info", {});
  return Address.read(faucet.address)!.address;
}

type More = { block?: number; key?: string; folder?: string; timeoutMs?: number };

function fork(url: string, more: More = {}, environment: { timers?: Timers } = {}) {
  return originFor({ kind: "url", url, ...more }, environment);
}

type Call = {
  method: string;
  params: Record<string, unknown>;
  key: string | undefined;
  authorization: string | undefined;
};
type Answer = { status?: number; headers?: Record<string, string>; body: string };

/** A service in front of the real one, whose answers a test may replace. */
async function faulty(answer: (call: Call) => Answer | undefined | Promise<Answer | undefined>) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request);
    const { method, params } = JSON.parse(text);
    const { "x-api-key": key, authorization } = request.headers;
    const call = { method, params, key: key as string | undefined, authorization };
    calls.push(call);
    const own = await answer(call);
    const {
      status = 200,
      headers = {},
      body,
    } = own ?? {
      body: (await service.post("/api/v2/jsonRPC", text)).text,
    };
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`, calls, server };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function expectFaucet(origin: ForkOrigin): Promise<void> {
  const address = await faucet();
  const found = await origin.account(address);
  const { seqno } = origin.start.block;
  expect(found!.account.value!.storage.balance.coins.toString()).toBe(
    await result("getAddressBalance", { address: address.toRaw(), seqno }),
  );
}

describe("an origin over a service", () => {
  test("is believed, at each of its paths", async () => {
    const { last } = await result<{ last: { seqno: number } }>("getMasterchainInfo", {});
    const { host } = new URL(service.url);
    for (const path of ["/jsonRPC", "/api/v2/jsonRPC", "/api/v2", "/api/v2/", ""]) {
      const origin = await fork(service.url + path);
      expect(origin.start).toMatchObject({ isProven: false, source: host });
      expect(origin.start.block.seqno, path).toBe(last.seqno);
    }
    const origin = await fork(service.url);
    await expectFaucet(origin);
    expect(await origin.account(nobody)).toBeUndefined();
    expect(await origin.accountProof(nobody)).toBeUndefined();
    expect(await origin.libraries([new Uint8Array(32)])).toEqual([]);
  });

  test("begins at an earlier block, and has the transactions before it", async () => {
    const address = await faucet();
    const payee = new Address(0, new Uint8Array(32).fill(2)).toRaw();
    for (let payment = 0; payment < 2; payment++)
      await result("devnet.faucet", { address: payee, amount: "1" });
    const { last } = await result<{ last: { seqno: number } }>("getMasterchainInfo", {});
    const origin = await fork(service.url, { block: last.seqno - 1 });
    expect(origin.start.block.seqno).toBe(last.seqno - 1);
    await expectFaucet(origin);
    const { lastTransLt: lt, lastTransHash: hash } = (await origin.account(address))!;
    const [newest] = await origin.transactions({ address, from: { lt, hash }, count: 1 });
    expect(newest!.transaction.lt).toBe(lt);
  });

  test("sends the key, and never to another host", async () => {
    const elsewhere = await faulty(() => undefined);
    const { url, calls } = await faulty(({ method }) =>
      method === "getLibraries"
        ? { status: 307, headers: { location: `${elsewhere.url}/jsonRPC` }, body: "" }
        : undefined,
    );
    const origin = await fork(url, { key: "secret", timeoutMs: 200 });
    expect(calls.every(({ key }) => key === "secret")).toBe(true);
    await expect(origin.libraries([new Uint8Array(32)])).rejects.toMatchObject({ kind: "unavailable" });
    expect(elsewhere.calls).toEqual([]);
  });

  test.each([
    ["ann:hunter2", "ann:hunter2"],
    ["ann:p%40ss%3A%25", "ann:p@ss:%"],
    ["ann:100%", "ann:100%"],
    ["token", "token:"],
    [":hunter2", ":hunter2"],
  ])("sends the user and the password of its URL in a header: %s", async (written, sent) => {
    const { url, calls } = await faulty(() => undefined);
    await fork(url.replace("//", `//${written}@`));
    const headers = new Set(calls.map(({ authorization }) => authorization));
    expect([...headers]).toEqual([`Basic ${Buffer.from(sent).toString("base64")}`]);
  });

  test("shows neither the password nor the keys of its URL", async () => {
    let refuses = false;
    const refused = { status: 422, body: '{"ok":false,"error":"no such state","code":422}' };
    const { url } = await faulty(() => (refuses ? refused : undefined));
    const { host } = new URL(url);
    const fork = await startService({
      forkUrl: `${url.replace("//", "//ann:hunter2@")}?api_key=hunter3`,
      adminPort: await freePort(),
    });
    onTestFinished(() => fork.close());
    refuses = true;
    const info = (await fork.rpc("devnet.info", {})) as { result: { fork: { source: string } } };
    expect(info.result.fork.source).toBe(host);
    const refusal = await fork.rpc("getAddressInformation", { address: nobody.toRaw() });
    expect(JSON.stringify(refusal)).toContain(`${host}: getShardAccountCell: no such state`);
    const { text: page } = await fork.get("/devnet");
    const status = await (await fetch(`${fork.adminUrl}/status`)).text();
    expect(status).toContain(host);
    const shown = JSON.stringify([info, refusal, page, status, fork.logLines]);
    expect(shown).not.toMatch(/hunter/);
  });

  test("that cannot be reached is named without its password", async () => {
    const { url, server } = await faulty(() => undefined);
    const { host } = new URL(url);
    const origin = await fork(`${url.replace("//", "//ann:hunter2@")}?api_key=hunter3`, { timeoutMs: 50 });
    server.close();
    server.closeAllConnections();
    const failure = await origin.account(nobody).catch((error: Error) => error.message);
    expect(failure).toContain(`${host} cannot be reached`);
    expect(failure).not.toContain("hunter");
  });

  test("waits as long as a rate limit wants", async () => {
    let refusals = 0;
    const { url } = await faulty(({ method }) =>
      method === "getShardAccountCell" && refusals++ < 1
        ? {
            status: 429,
            headers: { "retry-after": "0" },
            body: '{"ok":false,"error":"Ratelimit exceed","code":429}',
          }
        : undefined,
    );
    const origin = await fork(url);
    await expectFaucet(origin);
    expect(origin.status()).toMatchObject({ requests: 2, failures: 1, problem: undefined });
  });

  test("fails while the service is gone, and recovers with it", async () => {
    let isGone = true;
    const { url } = await faulty(({ method }) =>
      method === "getShardAccountCell" && isGone
        ? { status: 502, body: "<html>Bad Gateway</html>" }
        : undefined,
    );
    const timers = new ManualTimers();
    const origin = await fork(url, { timeoutMs: 12_000 }, { timers });
    let failure: unknown;
    origin.account(nobody).catch((error) => {
      failure = error;
    });
    await until("the last try", () => {
      if (timers.next !== undefined) timers.pass(timers.next);
      return failure;
    });
    expect(failure).toMatchObject({ kind: "unavailable" });
    expect(origin.status().problem).toContain("HTTP 502");
    const { requests } = origin.status();
    await expect(origin.account(nobody)).rejects.toMatchObject({ kind: "unavailable" });
    expect(origin.status().requests).toBe(requests + 1);
    isGone = false;
    expect(await origin.account(nobody)).toBeUndefined();
    expect(origin.status().problem).toBeUndefined();
  });

  test("repeats no request that the service refuses", async () => {
    const { url, calls } = await faulty(({ method }) =>
      method === "getShardAccountCell"
        ? { status: 422, body: '{"ok":false,"error":"wrong \\u001b[31maddress","code":422}' }
        : undefined,
    );
    const origin = await fork(url);
    const failure = origin.account(nobody);
    await expect(failure).rejects.toMatchObject({ kind: "refused" });
    await expect(failure).rejects.toThrow(/: getShardAccountCell: wrong {2}\[31maddress$/u);
    expect(calls.filter(({ method }) => method === "getShardAccountCell")).toHaveLength(1);
  });

  test.each([
    ["getConfigAll", "an earlier version of TON Center", '{"ok":false,"error":"Unknown method","id":1}'],
    ["getConfigAll", "TON Center", '{"ok":false,"error":"Method not found","code":404}'],
    ["getShardAccountCell", "JSON-RPC", '{"error":{"code":-32601,"message":"Method not found"}}'],
  ])("says at once that %s is missing, in the words of %s", async (missing, _dialect, body) => {
    const { url, calls } = await faulty(({ method }) => (method === missing ? { body } : undefined));
    const started = fork(url).then((origin) => origin.account(nobody));
    await expect(started).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining(
        `${new URL(url).host} does not have ${missing}, which a fork needs: name `,
      ),
    });
    expect(calls.filter(({ method }) => method === missing)).toHaveLength(1);
  });

  describe("with states of newer blocks only", () => {
    const oldest = 6;
    beforeAll(async () => {
      await result("devnet.mine", { blocks: 12 });
    });
    const pruned = (code: number) =>
      faulty(({ method, params }) =>
        ["getConfigAll", "getShardAccountCell"].includes(method) && Number(params["seqno"]) < oldest
          ? { status: code, body: JSON.stringify({ ok: false, error: "no state of this block", code }) }
          : undefined,
      );

    test("names the oldest block that it answers for", async () => {
      const { url, calls } = await pruned(422);
      await expect(fork(url, { block: 3 })).rejects.toMatchObject({
        kind: "missing",
        message: `${new URL(url).host} does not answer for block 3; the oldest one whose state it has is block ${oldest}`,
      });
      expect(calls.length).toBeLessThan(12);
      expect((await fork(url, { block: oldest })).start.block.seqno).toBe(oldest);
    });

    test("has its own words if the search ends at a rate limit", async () => {
      let accounts = 0;
      const { url } = await faulty(({ method }) => {
        if (method === "getConfigAll")
          return { status: 422, body: '{"ok":false,"error":"no state of this block","code":422}' };
        if (method !== "getShardAccountCell") return undefined;
        accounts++;
        return { status: 429, body: '{"ok":false,"error":"Ratelimit exceed","code":429}' };
      });
      await expect(fork(url, { block: 3 })).rejects.toThrow("getConfigAll: no state of this block");
      expect(accounts).toBe(1);
    });

    test("names the newest block in place of a later one", async () => {
      const { last } = await result<{ last: { seqno: number } }>("getMasterchainInfo", {});
      const { url } = await faulty(({ method }) =>
        method === "lookupBlock"
          ? { status: 422, body: '{"ok":false,"error":"no such block","code":422}' }
          : undefined,
      );
      await expect(fork(url, { block: 100_000 })).rejects.toThrow(
        `${new URL(url).host} has no block 100000 yet: its newest one is ${last.seqno}`,
      );
    });
  });

  test.each([
    [
      "another account",
      async () => result<object>("getShardAccountCell", { address: (await faucet()).toRaw() }),
    ],
    ["no cell", async () => ({ "@type": "tvm.cell", bytes: "AAAA" })],
    ["another type", async () => ({ "@type": "tvm.cell", bytes: "te6cckEBAQEAAgAAAEysuc0=" })],
    ["no text", async () => ({ bytes: 1 })],
  ])("refuses %s instead of an account", async (_title, lie) => {
    const { url } = await faulty(async ({ method }) =>
      method === "getShardAccountCell"
        ? { body: JSON.stringify({ ok: true, result: await lie() }) }
        : undefined,
    );
    const origin = await fork(url);
    await expect(origin.account(nobody)).rejects.toMatchObject({ kind: "untrusted" });
    expect(origin.known(nobody)).toBe("unknown");
  });

  test("refuses an answer that is too long", async () => {
    const { url } = await faulty(({ method }) =>
      method === "getShardAccountCell"
        ? { body: JSON.stringify({ ok: true, result: { bytes: "A".repeat(25 * 1024 * 1024) } }) }
        : undefined,
    );
    const origin = await fork(url);
    await expect(origin.account(nobody)).rejects.toThrow(/an answer is larger than/);
  });
});
