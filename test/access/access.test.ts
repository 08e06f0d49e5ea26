import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Caller, createAccess } from "../../server/access/access.js";
import {
  createKey,
  type NewKeyOptions,
  revokeKey,
  rotateKey,
  setPlan,
} from "../../server/access/keys/key-commands.js";
import { changeKeyFile, readKeyFile } from "../../server/access/keys/key-file.js";
import { KeyFileSource } from "../../server/access/keys/key-file-source.js";
import { streamLimits } from "../../server/access/limits/plan.js";
import { type Config, configWith } from "../../server/config/settings.js";
import { createLog } from "../../server/observe/log.js";
import { createMetrics } from "../../server/observe/metrics.js";
import { unmarkedProxyRefusals } from "../helpers/devnet-refusals.js";
import { noFallback } from "../helpers/no-fallback.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const start = new Date("2026-01-02T03:04:05.000Z");

beforeEach(() => {
  vi.useFakeTimers({
    now: start,
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** An `Access` with its own key store, and its log. */
async function openAccess(settings: Partial<Config> = {}, devnetKey?: string) {
  const keysFile = join(temporaryFolder(), "keys.json");
  const lines: string[] = [];
  const log = createLog({ level: "info" }, { write: (line) => lines.push(line) });
  const metrics = createMetrics(new Set());
  const access = await createAccess({
    config: configWith(settings),
    keySource: new KeyFileSource(settings.keysFile ?? keysFile),
    ...(devnetKey !== undefined && { devnetKey }),
    log,
    metrics,
    fallback: noFallback,
    now: Date.now,
  });
  // No table of connections is given, so that nothing is looked up.
  const identify = (
    key?: string,
    remoteAddress = "9.9.9.9",
    headers: Readonly<Record<string, string>> = {},
    host = "localhost:8081",
    httpVersion = "1.1",
  ) => access.identify({ key, remoteAddress, host, headers, httpVersion, connection: {} }) as Caller;
  const addKey = (order: Partial<NewKeyOptions> = {}) =>
    changeKeyFile(keysFile, (file) =>
      createKey(file, { network: "devnet", plan: "standard", label: "", ...order }, new Date()),
    );
  return { access, identify, addKey, keysFile, lines, metrics, noticed: () => vi.advanceTimersByTime(500) };
}

describe("identifying the caller", () => {
  it("uses the address bucket if the key is missing or empty", async () => {
    const { identify } = await openAccess({ trustProxy: { hops: 1 } });
    const anonymous = {
      plan: { name: "anonymous", limit: { rps: 1, burst: 1 } },
      devnetRefusal: "this devnet asks every caller for one",
    };
    expect(identify()).toEqual({ id: "9.9.9.9", ...anonymous });
    expect(identify("", "2001:db8::1")).toEqual({ id: "2001:db8:0:0::/64", ...anonymous });
    const forwarded = identify(undefined, "9.9.9.9", { "x-forwarded-for": "1.2.3.4" });
    expect(forwarded).toEqual({ id: "1.2.3.4", ...anonymous });
  });

  const local = {
    ...{ owner: "devnet", plan: { name: "unlimited", limit: undefined } },
    ...{ devnetRefusal: undefined, isLocal: expect.any(Function) },
  };
  const stranger = (devnetRefusal: string) => ({
    plan: { name: "anonymous", limit: { rps: 1, burst: 1 } },
    devnetRefusal,
  });

  it("gives callers on the same machine a devnet without limits to change, unless a limit is set", async () => {
    const { identify } = await openAccess();
    expect(identify(undefined, "127.0.0.1")).toEqual({ id: "127.0.0.1", ...local });
    expect(identify("", "::ffff:127.0.0.1")).toEqual({ id: "127.0.0.1", ...local });
    expect(identify(undefined, "::1")).toMatchObject(local);
    expect(identify(undefined, "::1", { origin: "http://localhost:5173" }, "[::1]:8081")).toMatchObject(
      local,
    );

    const { plan } = stranger("");
    const limited = await openAccess({ anonymousRps: 1 });
    expect(limited.identify(undefined, "127.0.0.1")).toMatchObject({ plan, devnetRefusal: undefined });
    const mainnet = await openAccess({ network: "mainnet" });
    expect(mainnet.identify(undefined, "127.0.0.1")).toMatchObject(stranger("this network is no devnet"));
  });

  it("takes neither the plan nor the right of callers on the same machine for anything else", async () => {
    const { identify } = await openAccess();
    const from = (address: string, headers?: Record<string, string>, host?: string) =>
      identify(undefined, address, headers, host);
    expect(from("10.0.0.1")).toMatchObject(stranger("it comes from 10.0.0.1"));
    const origin = "https://my.dapp";
    expect(from("::1", { origin })).toMatchObject(stranger(`its Origin is ${origin}`));
    expect(from("::1", {}, "my.dapp")).toMatchObject(stranger("its Host is my.dapp"));
    expect(from("::1", { "x-real-ip": "::1" })).toMatchObject(stranger("a proxy added the header x-real-ip"));
  });

  it("takes no request over HTTP/1.0 for one of this machine, unless no key may be asked for", async () => {
    const over = (version: string, { identify }: Awaited<ReturnType<typeof openAccess>>) =>
      identify(undefined, "127.0.0.1", {}, "localhost", version);
    const access = await openAccess();
    const reason = unmarkedProxyRefusals.oldHttp;
    expect(over("1.1", access)).toMatchObject(local);
    expect(access.lines).toEqual([]);
    for (let request = 0; request < 3; request++) expect(over("1.0", access)).toMatchObject(stranger(reason));
    expect(access.lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        severity: "warn",
        msg: `a caller is limited, and needs the devnet's key: ${reason}`,
      }),
    ]);
    expect(over("1.0", await openAccess({ devnetKeyRequired: false }))).toMatchObject(local);
  });

  it("does not mistake a host for an origin that was sent before, nor an origin for a host", async () => {
    const { identify } = await openAccess();
    const from = (address: string, headers: Record<string, string>, host: string) =>
      identify(undefined, address, headers, host);
    for (const text of ["shop.localhost", "127.0.0.77", "127.0.0.77:8081"]) {
      expect(from("127.0.0.1", { origin: text }, "localhost")).toMatchObject(
        stranger(`its Origin is ${text}`),
      );
      expect(from("127.0.0.1", {}, text)).toMatchObject(local);
      expect(from("127.0.0.1", { origin: text }, "localhost")).toMatchObject(
        stranger(`its Origin is ${text}`),
      );
    }
    expect(from("127.0.0.77", {}, "127.0.0.77")).toMatchObject(local);
    const long = `${"a.".repeat(200)}localhost`;
    expect(from("127.0.0.1", {}, long)).toMatchObject(stranger(`its Host is ${long}`));
  });

  it("takes for local who is on the machine, with any key, and who has the devnet's own key", async () => {
    const { identify, addKey, noticed } = await openAccess({}, "own");
    const { text: key } = await addKey();
    noticed();
    const isLocal = (...of: Parameters<typeof identify>) => identify(...of).isLocal?.() ?? false;
    expect(await isLocal(undefined, "127.0.0.1")).toBe(true);
    expect(await isLocal(key, "127.0.0.1")).toBe(true);
    expect(await isLocal("own", "9.9.9.9", {}, "ton.example")).toBe(true);
    expect(await isLocal(undefined, "9.9.9.9")).toBe(false);
    expect(await isLocal(key, "9.9.9.9")).toBe(false);
    expect(await isLocal(key, "127.0.0.1", { origin: "https://my.dapp" })).toBe(false);
    expect(await isLocal(key, "127.0.0.1", { via: "1.1 proxy" })).toBe(false);
    expect(await isLocal(key, "127.0.0.1", {}, "localhost:8081", "1.0")).toBe(false);
  });

  it("takes nobody with an ordinary key for local behind a proxy, or on a network that is no devnet", async () => {
    for (const settings of [
      { trustProxy: { hops: 1 } },
      { host: "0.0.0.0" },
      { network: "mainnet" },
    ] as const) {
      const { identify, addKey, noticed } = await openAccess(settings, "own");
      const { text: key } = await addKey({ network: configWith(settings).network });
      noticed();
      expect(await identify(key, "127.0.0.1").isLocal?.()).toBe(false);
      expect(await identify("own", "127.0.0.1").isLocal?.()).toBe(true);
    }
  });

  it.each<[title: string, settings: Partial<Config>, isRequired: boolean]>([
    ["on loopback", {}, false],
    ["on loopback by name", { host: "localhost" }, false],
    ["on IPv6 loopback", { host: "::1" }, false],
    ["on all interfaces", { host: "0.0.0.0" }, true],
    ["on all interfaces of IPv6", { host: "::" }, true],
    ["on one that others reach", { host: "192.168.1.5" }, true],
    ["behind a trusted proxy", { trustProxy: { hops: 1 } }, true],
    ["behind proxies in a network", { trustProxy: { networks: ["127.0.0.1"] } }, true],
    ["on loopback, but told to", { devnetKeyRequired: true }, true],
    ["on all interfaces, but told not to", { host: "0.0.0.0", devnetKeyRequired: false }, false],
    ["behind a proxy, but told not to", { trustProxy: { hops: 1 }, devnetKeyRequired: false }, false],
  ])("a devnet %s: whether it asks every caller for a key", async (_, settings, isRequired) => {
    const { identify } = await openAccess(settings);
    const wanted = isRequired ? stranger("this devnet asks every caller for one") : local;
    expect(identify(undefined, "127.0.0.1")).toMatchObject(wanted);
  });

  it("accepts a new key within half a second of its creation", async () => {
    const { identify, addKey, noticed } = await openAccess();
    const { text, record } = await addKey();
    expect(() => identify(text)).toThrow("API key does not exist");
    noticed();
    const plan = { name: "standard", limit: { rps: 10, burst: 10 } };
    const { id } = record;
    const [isLocal, permit] = [expect.any(Function), expect.any(Function)];
    const caller = { id, keyId: id, owner: id, plan, devnetRefusal: undefined, isLocal, permit };
    expect(identify(text)).toEqual(caller);
    expect(identify(text)).toEqual(caller);
  });

  it("takes keys that replace one another for one owner, whose plan is that of the last one", async () => {
    const { access, identify, addKey, keysFile, noticed } = await openAccess();
    const { record, text } = await addKey();
    const owner = record.id;
    const rotate = (id: string) => changeKeyFile(keysFile, (file) => rotateKey(file, id, 1000, new Date()));
    const second = await rotate(owner);
    const third = await rotate(second.record.id);
    noticed();
    for (const key of [text, second.text, third.text]) expect(identify(key).owner).toBe(owner);
    vi.advanceTimersByTime(2000);
    expect(() => identify(text)).toThrow("API key does not exist");
    expect(identify(third.text).owner).toBe(owner);
    expect(access.planOf(owner)?.name).toBe("standard");
    expect(access.planOf(third.record.id)).toBe(undefined);
    await changeKeyFile(keysFile, (file) => revokeKey(file, third.record.id, new Date()));
    noticed();
    expect(access.planOf(owner)).toBe(undefined);
    const elsewhere = await addKey({ network: "testnet" });
    noticed();
    expect(access.planOf(elsewhere.record.id)).toBe(undefined);
  });

  it("refuses keys that are unknown, too long or for another network", async () => {
    const { identify, addKey, noticed } = await openAccess();
    const { text } = await addKey({ network: "testnet" });
    noticed();
    expect(() => identify("tw_devnet_x")).toThrow(expect.objectContaining({ code: "unknown-key" }));
    expect(() => identify("x".repeat(1_000_000))).toThrow("API key does not exist");
    expect(() => identify(text)).toThrow(expect.objectContaining({ code: "wrong-network" }));
  });

  it("accepts the devnet's built-in key without a key file", async () => {
    const { identify, keysFile, noticed } = await openAccess({}, "my devnet key");
    const caller = { id: "devnet", keyId: "devnet", ...local, permit: expect.any(Function) };
    expect(identify("my devnet key")).toEqual(caller);
    await changeKeyFile(keysFile, (file) => ({ file, result: undefined }));
    noticed();
    expect(identify("my devnet key")).toEqual(caller);
  });

  it("applies the current limits of the key's plan", async () => {
    const { identify, addKey, keysFile, noticed } = await openAccess();
    await changeKeyFile(keysFile, (file) => setPlan(file, "gold", { rps: 5, burst: 50 }));
    const { text } = await addKey({ plan: "gold" });
    noticed();
    expect(identify(text).plan).toEqual({ name: "gold", limit: { rps: 5, burst: 50 } });
    await changeKeyFile(keysFile, (file) => setPlan(file, "gold", { rps: 7, burst: 7 }));
    noticed();
    expect(identify(text).plan).toEqual({ name: "gold", limit: { rps: 7, burst: 7 } });
  });

  it("takes limits of streams from the plan, and keeps them as its rate changes", async () => {
    const { identify, addKey, keysFile, noticed } = await openAccess();
    const limit = { rps: 5, burst: 5 };
    const streams = { accounts: 7, bytes: 1000 };
    await changeKeyFile(keysFile, (file) => ({
      file: { ...file, plans: { gold: { ...limit, streams } } },
      result: undefined,
    }));
    await changeKeyFile(keysFile, (file) => setPlan(file, "gold", { ...limit, rps: 1 }));
    const { text } = await addKey({ plan: "gold" });
    noticed();
    const { plan } = identify(text);
    expect(plan).toEqual({ name: "gold", limit: { rps: 1, burst: 5 }, streams });
    expect(streamLimits(plan)).toEqual({
      ...streamLimits({ name: "standard", limit: undefined }),
      ...streams,
    });
    const refused = changeKeyFile(keysFile, (file) => ({
      file: { ...file, plans: { gold: { ...limit, streams: { accounts: -1 } } } },
      result: undefined,
    }));
    await expect(refused).rejects.toThrow();
  });
});

describe("an invalidated key", () => {
  it("is refused within half a second of its revocation, and listeners receive its id", async () => {
    const { access, identify, addKey, keysFile, noticed } = await openAccess();
    const { text, record } = await addKey();
    noticed();
    identify(text);
    const ended: string[] = [];
    const stop = access.onRevoked((id) => ended.push(id));
    await changeKeyFile(keysFile, (file) => revokeKey(file, record.id, new Date()));
    noticed();
    expect(() => identify(text)).toThrow("API key does not exist");
    expect(ended).toEqual([record.id]);

    stop();
    const other = await addKey();
    noticed();
    await changeKeyFile(keysFile, (file) => revokeKey(file, other.record.id, new Date()));
    noticed();
    expect(ended).toEqual([record.id]);
  });

  it("is refused from its expiry time on", async () => {
    const { access, identify, addKey, noticed } = await openAccess();
    const expiresAt = new Date(start.getTime() + 10_250);
    const { text, record } = await addKey({ expiresAt });
    noticed();
    const ended: string[] = [];
    access.onRevoked((id) => ended.push(id));
    vi.advanceTimersByTime(9_749);
    expect(identify(text).id).toBe(record.id);
    vi.advanceTimersByTime(1);
    expect(() => identify(text)).toThrow("API key does not exist");
    noticed();
    expect(ended).toEqual([record.id]);
  });

  it("stays valid for its grace period after a rotation", async () => {
    const { identify, addKey, keysFile, noticed } = await openAccess();
    const old = await addKey();
    const made = await changeKeyFile(keysFile, (file) => rotateKey(file, old.record.id, 60_000, new Date()));
    noticed();
    expect(identify(old.text).id).toBe(old.record.id);
    expect(identify(made.text).id).toBe(made.record.id);
    vi.advanceTimersByTime(60_000);
    expect(() => identify(old.text)).toThrow("API key does not exist");
    expect(identify(made.text).id).toBe(made.record.id);
  });
});

describe("a key store that becomes invalid", () => {
  it("keeps the last valid keys, is logged once and counted, and is read again once it is valid", async () => {
    const { access, identify, addKey, keysFile, lines, metrics, noticed } = await openAccess();
    const { text, record } = await addKey();
    noticed();
    expect(access.keysFailure).toBeUndefined();
    const good = JSON.stringify(readKeyFile(keysFile));
    lines.length = 0;
    writeFileSync(keysFile, "{");
    noticed();
    noticed();
    expect(identify(text).id).toBe(record.id);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("the keys stay as they were");
    expect(access.keysFailure).toContain(`key store ${keysFile} cannot be read`);

    rmSync(keysFile);
    noticed();
    expect(identify(text).id).toBe(record.id);
    expect(await metrics.text()).toContain('tonwire_keys_reloads_total{outcome="failed"} 2');

    symlinkSync(keysFile, keysFile);
    noticed();
    expect(identify(text).id).toBe(record.id);
    rmSync(keysFile);

    const other = await addKey();
    writeFileSync(keysFile, good);
    noticed();
    expect(identify(text).id).toBe(record.id);
    expect(() => identify(other.text)).toThrow("API key does not exist");
    expect(access.keysFailure).toBeUndefined();
  });

  it("fails the start if it is invalid from the beginning", async () => {
    const keysFile = join(temporaryFolder(), "keys.json");
    writeFileSync(keysFile, "[]");
    await expect(openAccess({ keysFile })).rejects.toThrow(`key store ${keysFile} cannot be read`);
  });
});

describe("rate limit points", () => {
  it("are granted up to the burst of a window that opens with the first call", async () => {
    const { access, identify, addKey, noticed } = await openAccess();
    const { text } = await addKey();
    noticed();
    const caller = identify(text);
    expect(await access.spend(caller, 1)).toEqual({
      granted: 1,
      headers: { "RateLimit-Policy": '"standard";q=10;w=1', RateLimit: '"standard";r=9;t=1' },
    });
    vi.advanceTimersByTime(700);
    expect(await access.spend(caller, 12)).toEqual({
      granted: 9,
      retryAfterSec: 1,
      headers: {
        "RateLimit-Policy": '"standard";q=10;w=1',
        RateLimit: '"standard";r=0;t=1',
        "Retry-After": "1",
      },
    });
    expect(await access.spend(caller, 3)).toMatchObject({ granted: 0, overdrawn: true });
    vi.advanceTimersByTime(300);
    expect((await access.spend(caller, 10)).granted).toBe(10);
  });

  it("are available for the whole window of a plan with a burst", async () => {
    const { access, identify, addKey, keysFile, noticed } = await openAccess();
    await changeKeyFile(keysFile, (file) => setPlan(file, "gold", { rps: 2, burst: 20 }));
    const { text } = await addKey({ plan: "gold" });
    noticed();
    const caller = identify(text);
    expect((await access.spend(caller, 20)).granted).toBe(20);
    vi.advanceTimersByTime(7_500);
    expect(await access.spend(caller, 1)).toEqual({
      granted: 0,
      retryAfterSec: 3,
      headers: { "RateLimit-Policy": '"gold";q=20;w=10', RateLimit: '"gold";r=0;t=3', "Retry-After": "3" },
    });
    vi.advanceTimersByTime(2_500);
    expect((await access.spend(caller, 1)).granted).toBe(1);
  });

  it("are refused without a counter while the window is closed", async () => {
    const { access, identify } = await openAccess({ anonymousRps: 2 });
    const refusal = await access.spend(identify(), 3);
    expect(refusal).toMatchObject({ granted: 2, retryAfterSec: 1 });
    const headers = {
      "RateLimit-Policy": '"anonymous";q=2;w=1',
      RateLimit: '"anonymous";r=0;t=1',
      "Retry-After": "1",
    };
    // No promise: neither the local counters nor Redis are asked.
    const refused = { granted: 0, overdrawn: true, retryAfterSec: 1, headers };
    expect(access.spend(identify(), 2)).toEqual(refused);
    vi.advanceTimersByTime(1_000);
    expect(await access.spend(identify(), 2)).toMatchObject({ granted: 2 });
  });

  it("come back within a window, also if the clock is set back", async () => {
    const { access, identify } = await openAccess({ anonymousRps: 3 });
    await access.spend(identify(), 3);
    vi.setSystemTime(start.getTime() - 3_600_000);
    const refused = await access.spend(identify(), 1);
    expect(refused).toMatchObject({ granted: 0, retryAfterSec: 1 });
    expect(refused.headers).toMatchObject({ "Retry-After": "1", RateLimit: '"anonymous";r=0;t=1' });
    vi.advanceTimersByTime(1_000);
    expect((await access.spend(identify(), 1)).granted).toBe(1);
  });

  it("are counted per key and per address bucket", async () => {
    const { access, identify, addKey, noticed } = await openAccess();
    const [one, two] = [await addKey(), await addKey()];
    noticed();
    const granted = async (caller: ReturnType<typeof identify>) => (await access.spend(caller, 1)).granted;
    await access.spend(identify(one.text), 10);
    expect(await granted(identify(one.text))).toBe(0);
    expect(await granted(identify(two.text))).toBe(1);
    expect(await granted(identify(undefined, "2001:db8::1"))).toBe(1);
    expect(await granted(identify(undefined, "2001:db8::2"))).toBe(0);
    expect(await granted(identify(undefined, "2001:db8:0:1::1"))).toBe(1);
  });

  it("are not counted, and no header is sent, if the plan or the setting is unlimited", async () => {
    const { access, identify } = await openAccess({ anonymousRps: "unlimited" }, "my devnet key");
    expect(await access.spend(identify(), 1_000)).toEqual({ granted: 1_000, headers: {} });
    expect(await access.spend(identify("my devnet key"), 1_000)).toEqual({ granted: 1_000, headers: {} });
  });

  it("that dear calls cost afterwards are owed by the windows that follow", async () => {
    const { access, identify, addKey, noticed } = await openAccess();
    const { text } = await addKey();
    noticed();
    const caller = identify(text);
    const spend = async (points: number) => access.spend(caller, points);
    expect((await spend(1)).granted).toBe(1);
    await access.settle(caller, 25);
    // 25 points at 10 a second: less than 10 are owed after 1.6 seconds.
    expect(await spend(1)).toMatchObject({
      granted: 0,
      retryAfterSec: 2,
      headers: { RateLimit: '"standard";r=0;t=2', "Retry-After": "2" },
    });
    vi.advanceTimersByTime(1_500);
    expect(await spend(1)).toMatchObject({ granted: 0, retryAfterSec: 1 });
    vi.advanceTimersByTime(100);
    expect(await spend(1)).toMatchObject({ granted: 1, headers: { RateLimit: '"standard";r=0;t=1' } });
    vi.advanceTimersByTime(900);
    expect(await spend(1)).toMatchObject({ granted: 1, headers: { RateLimit: '"standard";r=8;t=1' } });
    vi.advanceTimersByTime(1_000);
    expect(await spend(10)).toMatchObject({ granted: 10 });
  });

  it("of dear calls are owed for a minute at most, and by their caller only", async () => {
    const { access, identify } = await openAccess({ anonymousRps: 1 });
    await access.spend(identify(), 1);
    for (let call = 0; call < 100; call++) await access.settle(identify(), 20);
    expect(access.spend(identify(), 1)).toMatchObject({ granted: 0, retryAfterSec: 60 });
    expect((await access.spend(identify(undefined, "9.9.9.8"), 1)).granted).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect((await access.spend(identify(), 1)).granted).toBe(1);
  });

  it("of one dear call are owed as a whole, and no further debt makes them fewer", async () => {
    const { access, identify } = await openAccess({ anonymousRps: 1 });
    await access.spend(identify(), 1);
    await access.settle(identify(), 110);
    await access.settle(identify(), 5);
    expect(access.spend(identify(), 1)).toMatchObject({ granted: 0, retryAfterSec: 110 });
    vi.advanceTimersByTime(110_000);
    expect((await access.spend(identify(), 1)).granted).toBe(1);
  });

  it("of dear calls are owed by each of very many callers", async () => {
    const { access, identify } = await openAccess({ anonymousRps: 2 });
    const callers = Array.from({ length: 30_000 }, (_, at) =>
      identify(undefined, `9.9.${at >> 8}.${at & 255}`),
    );
    for (const caller of callers) await access.settle(caller, 21);
    vi.advanceTimersByTime(10_000);
    // All still owe one of two points.
    const spendings = await Promise.all(callers.map((caller) => access.spend(caller, 2)));
    expect(new Set(spendings.map(({ granted }) => granted))).toEqual(new Set([1]));
  });

  it("of dear calls are not owed without a limit", async () => {
    const { access, identify } = await openAccess({ anonymousRps: "unlimited" });
    await access.settle(identify(), 1_000);
    expect(await access.spend(identify(), 1)).toEqual({ granted: 1, headers: {} });
  });

  it("are counted by plan in the metrics when refused", async () => {
    const { access, identify, metrics } = await openAccess({ anonymousRps: 3 });
    await access.spend(identify(), 5);
    expect(await metrics.text()).toContain('tonwire_limiter_refusals_total{plan="anonymous"} 2');
  });
});

it("a closed access stops watching the key store", async () => {
  const { access, identify, addKey, noticed } = await openAccess();
  await access.close();
  const { text } = await addKey();
  noticed();
  expect(() => identify(text)).toThrow("API key does not exist");
  expect(vi.getTimerCount()).toBe(0);
});
