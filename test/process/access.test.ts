import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createKey, type NewKeyOptions, revokeKey, setPlan } from "../../server/access/keys/key-commands.js";
import { changeKeyFile } from "../../server/access/keys/key-file.js";
import type { Config } from "../../server/config/settings.js";
import type { Environment } from "../../server/process/environment.js";
import { variants } from "../helpers/effort.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { haveRedis, TestRedis } from "../helpers/peers/redis.js";
import { type Answer, startService, type TestService } from "../helpers/services/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const redisAvailable = await haveRedis();
const path = "/api/v2/detectAddress?address=Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const ping = { jsonrpc: "2.0", id: 1, method: "detectHash", params: { hash: "0".repeat(64) } };

async function start(settings: Partial<Config> = {}, environment?: Environment): Promise<TestService> {
  const service = await startService(settings, environment);
  onTestFinished(() => service.close());
  return service;
}

/** A key store created before the service. Its plan `minute` has 60 points in a window longer than any test. */
async function keyStore(folder = temporaryFolder()) {
  const keysFile = `${folder}/keys.json`;
  await changeKeyFile(keysFile, (file) => setPlan(file, "minute", { rps: 1, burst: 60 }));
  const addKey = (order: Partial<NewKeyOptions> = {}) =>
    changeKeyFile(keysFile, (file) =>
      createKey(file, { network: "devnet", plan: "standard", label: "", ...order }, new Date()),
    );
  return { keysFile, addKey };
}

/** One with limits for tests that have keys of their own. */
let service: TestService;
let elsewhere: string;
let unlimited: Awaited<ReturnType<Awaited<ReturnType<typeof keyStore>>["addKey"]>>;
/** Keys of the plan `minute`. */
const keys: string[] = [];
beforeAll(async () => {
  const { keysFile, addKey } = await keyStore(folderInRun("tonwire-keys-"));
  elsewhere = (await addKey({ network: "testnet" })).text;
  unlimited = await addKey({ plan: "unlimited" });
  for (let i = 0; i < 16; i++) keys.push((await addKey({ plan: "minute" })).text);
  service = await startService({ keysFile, anonymousRps: 1 });
});
afterAll(() => service?.close());

/** Uses up points of a key's plan, so that five are left. */
async function leaveFive({ post }: TestService, key: string): Promise<void> {
  await post("/jsonRPC", Array(55).fill(ping), { key });
}

function limitHeaders({ headers }: Answer) {
  return ["RateLimit-Policy", "RateLimit", "Retry-After"].map((name) => headers.get(name));
}

describe("a refused key", () => {
  it("is answered with 401 in the format of each path, with CORS headers and version", async () => {
    const { get, post } = service;
    const key = "tw_devnet_nobody";
    const tonCenter = '{"ok":false,"error":"API key does not exist","code":401}';
    const rest = await get(path, { key });
    expect([rest.status, rest.text]).toEqual([401, tonCenter]);
    expect(rest.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(rest.headers.get("X-API-Version")).toMatch(/^2\.2\.\d+$/);
    const inQuery = await get(`${path}&api_key=${key}`, { key: null });
    expect([inQuery.status, inQuery.text]).toEqual([401, tonCenter]);
    const dialect = await post("/api/v2/jsonRPC", ping, { key });
    expect([dialect.status, dialect.text]).toEqual([401, tonCenter]);
    const strict = await post("/jsonRPC", ping, { key });
    expect([strict.status, strict.json]).toEqual([
      401,
      {
        jsonrpc: "2.0",
        id: null,
        ok: false,
        error: {
          code: -32000,
          message: "API key does not exist",
          data: { code: 401, kind: "unknown-key" },
        },
      },
    ]);
  });

  it("is answered with 403 if it is for another network", async () => {
    const answer = await service.get(path, { key: elsewhere });
    expect([answer.status, answer.text]).toEqual([
      403,
      '{"ok":false,"error":"Network not allowed","code":403}',
    ]);
  });

  it("is not read from the body", async () => {
    const answer = await service.post("/jsonRPC", { ...ping, api_key: "tw_devnet_nobody" }, { key: null });
    expect(answer.status).toBe(200);
  });
});

describe("an accepted key", () => {
  it("is read from the header or the query, and an empty one is ignored", async () => {
    const { get, key } = service;
    expect((await get(path, { key })).headers.get("RateLimit")).toBeNull();
    const encoded = encodeURIComponent(key);
    expect((await get(`${path}&api_key=${encoded}`, { key: null })).headers.get("RateLimit")).toBeNull();
    expect((await get(path, { key: "" })).headers.get("RateLimit-Policy")).toBe('"anonymous";q=1;w=1');
  });

  it("is refused after its revocation without a restart", async () => {
    const { get, keysFile } = service;
    const { text, record } = unlimited;
    expect((await get(path, { key: text })).status).toBe(200);
    await changeKeyFile(keysFile, (file) => revokeKey(file, record.id, new Date()));
    await until("the revocation", async () => (await get(path, { key: text })).status === 401);
  });
});

describe("a rate-limited caller", () => {
  it("without a key is refused at the second call within a second", async () => {
    const { get } = service;
    await until("a granted call", async () => (await get(path, { key: null })).status === 200);
    // Enough that some share a second.
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(path, { key: null })));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.text).toBe(
      '{"ok":false,"error":"Ratelimit exceeded","result":"Ratelimit exceeded","code":429}',
    );
    expect(limitHeaders(refused)).toEqual(['"anonymous";q=1;w=1', '"anonymous";r=0;t=1', "1"]);
  });

  it.each(variants<Config["anonymousRps"]>([undefined], ["unlimited"]))(
    "without a key is not refused on this machine by a devnet with a limit of %s",
    async (anonymousRps) => {
      const { get } = await start({ anonymousRps });
      const answers = await Promise.all(Array.from({ length: 20 }, () => get(path, { key: null })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(limitHeaders(answers[0]!)).toEqual([null, null, null]);
      // Other machines cannot change their identity by a header.
      const from = (address: string) => get(path, { key: null, headers: { "X-Forwarded-For": address } });
      const others = await Promise.all(Array.from({ length: 20 }, (_, index) => from(`192.0.2.${index}`)));
      expect(others.some(({ status }) => status === 429)).toBe(anonymousRps === undefined);
    },
  );

  it("receives its remaining points, and is refused before the body is read", async () => {
    const key = keys.pop()!;
    const { get, post } = service;
    await leaveFive(service, key);
    const lefts = [];
    for (let i = 0; i < 5; i++) lefts.push((await get(path, { key })).headers.get("RateLimit"));
    expect(lefts.map((left) => left?.replace(/;t=\d+$/, ""))).toEqual([
      '"minute";r=4',
      '"minute";r=3',
      '"minute";r=2',
      '"minute";r=1',
      '"minute";r=0',
    ]);
    const refused = await post("/jsonRPC", "no JSON at all", { key });
    expect([refused.status, refused.headers.get("RateLimit-Policy")]).toEqual([429, '"minute";q=60;w=60']);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  });

  it("gets a refusal in the place of each batch entry above the limit", async () => {
    const key = keys.pop()!;
    const { post } = service;
    await leaveFive(service, key);
    const batch = Array.from({ length: 7 }, (_, id) => ({ ...ping, id }));
    const answer = await post("/jsonRPC", batch, { key });
    expect(answer.status).toBe(200);
    const entries = answer.json as { id: number; ok: boolean; error?: { data: { kind: string } } }[];
    expect(entries.map(({ id, ok, error }) => [id, ok, error?.data.kind])).toEqual([
      ...[0, 1, 2, 3, 4].map((id) => [id, true, undefined]),
      ...[5, 6].map((id) => [id, false, "rate-limited"]),
    ]);
    const next = await post("/jsonRPC", batch, { key });
    expect(next.status).toBe(429);
    expect(next.json).toMatchObject({ id: null, error: { code: -32000, message: "Ratelimit exceeded" } });
  });
});

describe.skipIf(!redisAvailable)("two services with one Redis", () => {
  it("share a key's limit", async () => {
    const redis = await TestRedis.start();
    const { keysFile, addKey } = await keyStore();
    await changeKeyFile(keysFile, (file) => setPlan(file, "long", { rps: 1, burst: 3600 }));
    const { text: key } = await addKey({ plan: "long" });
    // A long timeout: only a Redis that is gone fails, not a slow one.
    const startOne = () => start({ keysFile, redisUrl: redis.url }, { redisTimeoutMs: 60_000 });
    const [one, two] = [await startOne(), await startOne()];
    const left = async ({ get }: TestService) =>
      Number(/r=(\d+)/.exec((await get(path, { key })).headers.get("RateLimit") ?? "")?.[1]);
    expect(await left(one)).toBe(3599);
    // One has leased an eighth of what it may have in a window.
    expect(await left(two)).toBe(3598 - 450);
    expect(await left(one)).toBe(3598);
  });
});

describe("the cost of a v3 call", () => {
  const account = "0".repeat(64);
  /** Points left of 60 after a call. */
  async function leftAfter(ask: (service: TestService, key: string) => Promise<Answer>) {
    const answer = await ask(service, keys.pop()!);
    return Number(/r=(\d+)/.exec(answer.headers.get("RateLimit")!)![1]);
  }
  const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

  it("grows with rows and values, over every transport", async () => {
    const accounts = Array(31).fill(`account=0:${account}`).join("&");
    const page = `/api/v3/transactions?limit=250&${accounts}`;
    expect(await leftAfter(({ get }, key) => get(page, { key }))).toBe(54);
    const call = rpc("v3.transactions", { limit: 1000 });
    expect(await leftAfter(({ post }, key) => post("/jsonRPC", call, { key }))).toBe(49);
    expect(await leftAfter(({ post }, key) => post("/api/v2/jsonRPC", call, { key }))).toBe(49);
    expect(await leftAfter(({ post }, key) => post("/jsonRPC", [call, ping], { key }))).toBe(48);
    const values = { address: Array(21).fill(`0:${account}`) };
    const asked = rpc("v3.accountStates", values);
    expect(await leftAfter(({ post }, key) => post("/jsonRPC", asked, { key }))).toBe(57);
  });

  it("may exceed the points that are left, and is refused when none are", async () => {
    const key = keys.pop()!;
    await leaveFive(service, key);
    const large = "/api/v3/transactions?limit=1000";
    const first = await service.get(large, { key });
    expect(first.status).not.toBe(429);
    expect(limitHeaders(first)).toEqual(['"minute";q=60;w=60', expect.stringContaining("r=0"), null]);
    expect((await service.get(large, { key })).status).toBe(429);
    expect((await service.get(path, { key })).status).toBe(429);
  });
});
