import { join } from "node:path";
import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { createAccess } from "../../../server/access/access.js";
import {
  copyKeys,
  createKey,
  type NewKeyOptions,
  removeCopied,
  revokeKey,
  rotateKey,
  setPlan,
} from "../../../server/access/keys/key-commands.js";
import type { KeyFile } from "../../../server/access/keys/key-file.js";
import { fileKeyStore } from "../../../server/access/keys/key-file-source.js";
import type { KeySource } from "../../../server/access/keys/key-store.js";
import { configWith } from "../../../server/config/settings.js";
import { createLog } from "../../../server/observe/log.js";
import { createMetrics } from "../../../server/observe/metrics.js";
import { DatabaseKeySource } from "../../../server/process/service/database-key-source.js";
import { DatabaseKeys } from "../../../server/process/service/database-keys.js";
import { openSocket } from "../../helpers/http/socket.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { ranCommand } from "../../helpers/services/ran-command.js";
import { startService } from "../../helpers/services/service.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { mayStopPostgres, openPatiently, TestPostgres } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

/** No process looks by itself: it hears of every change. */
const never = 1_000_000_000;
const order: NewKeyOptions = { network: "devnet", plan: "standard", label: "" };

const sender = {
  ...{ remoteAddress: "127.0.0.1", host: "localhost", headers: {} },
  ...{ httpVersion: "1.1", connection: {} },
} as const;

/** The keys of a process. */
async function openProcess(url: string, lookEveryMs = never) {
  const keySource: KeySource = new DatabaseKeySource(openPatiently(url), { now: Date.now, lookEveryMs });
  const lines: string[] = [];
  const log = createLog({ level: "info" }, { write: (line) => lines.push(JSON.parse(line).msg) });
  const metrics = createMetrics(new Set());
  const access = await createAccess({
    ...{ config: configWith(), keySource, log, metrics, fallback: noFallback, now: Date.now },
  });
  onTestFinished(() => access.close());
  const find = (key: string) => {
    try {
      return access.identify({ key, ...sender });
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const revoked: string[] = [];
  access.onRevoked((id) => revoked.push(id));
  return { access, find, lines, metrics, revoked };
}

function openKeys(url: string): DatabaseKeys {
  const keys = new DatabaseKeys(openPatiently(url));
  onTestFinished(() => keys.close());
  return keys;
}

/** A key store with all that one can have. */
function fullStore(): KeyFile {
  const now = new Date("2026-01-02T03:04:05.678Z");
  let file: KeyFile = { version: 1, plans: {}, keys: [] };
  const change = <T>({ file: changed, result }: { file: KeyFile; result: T }) => {
    file = changed;
    return result;
  };
  change(setPlan(file, "gold", { rps: 50, burst: 100 }));
  const streams = { connections: 3 };
  file = { ...file, plans: { ...file.plans, streamy: { rps: 1, burst: 1, streams } } };
  const label = `it's "quoted"; drop table – ключ`;
  const gold = change(createKey(file, { ...order, plan: "gold", label }, now));
  change(
    createKey(file, { network: "mainnet", plan: "unlimited", label: "", expiresAt: new Date(9e12) }, now),
  );
  const second = change(rotateKey(file, gold.record.id, 3_600_000, now));
  change(rotateKey(file, second.record.id, 0, now));
  change(revokeKey(file, file.keys[1]!.id, now));
  return file;
}

describePostgres("Keys in a database", (_fresh, server) => {
  test("are created, rotated and revoked there, and every process hears of it", async () => {
    const url = await server().database();
    const processes = [await openProcess(url), await openProcess(url)];
    const keys = openKeys(url);
    expect(await keys.read()).toEqual({ version: 1, plans: {}, keys: [] });
    await keys.change((file) => setPlan(file, "gold", { rps: 5, burst: 10 }));
    const { text, record } = await keys.change((file) =>
      createKey(file, { ...order, plan: "gold" }, new Date()),
    );
    const all = (what: string, holds: (each: (typeof processes)[number]) => boolean) =>
      until(what, () => processes.every(holds));
    const plan = { name: "gold", limit: { rps: 5, burst: 10 }, streams: undefined };
    await all("the key", ({ find }) => typeof find(text) === "object");
    for (const { find } of processes)
      expect(find(text)).toMatchObject({ keyId: record.id, owner: record.id, plan });

    await keys.change((file) => setPlan(file, "gold", { rps: 7, burst: 7 }));
    await all("the plan", ({ access }) => access.planOf(record.id)?.limit?.rps === 7);

    const next = await keys.change((file) => rotateKey(file, record.id, 3_600_000, new Date()));
    await all("the new key", ({ find }) => typeof find(next.text) === "object");
    // Webhooks of the old key are those of the new one.
    for (const { find } of processes) expect(find(next.text)).toMatchObject({ owner: record.id });
    for (const { find } of processes) expect(find(text)).toMatchObject({ keyId: record.id });

    await keys.change((file) => revokeKey(file, next.record.id, new Date()));
    await all("the revocation", ({ revoked }) => revoked.length > 0);
    for (const { find, revoked } of processes) {
      expect(revoked).toEqual([next.record.id]);
      expect(find(next.text)).toBe("unknown-key");
      expect(find(text)).toMatchObject({ keyId: record.id });
    }

    // No process knows a removed key any more.
    await keys.change((file) => ({ file: { ...file, keys: [] }, result: undefined }));
    await all("the removal", ({ revoked }) => revoked.length > 1);
    for (const { find, revoked } of processes)
      expect([find(text), revoked]).toEqual(["unknown-key", [next.record.id, record.id]]);
  });

  test("are all there after changes by several commands at once", async () => {
    const url = await server().databaseWithSchema();
    const stores = [1, 2, 3, 4].map(() => openKeys(url));
    const made = await Promise.all(
      stores.flatMap((store) =>
        ["a", "b", "c"].map((label) =>
          store.change((file) => createKey(file, { ...order, label }, new Date())),
        ),
      ),
    );
    const { keys } = await stores[0]!.read();
    expect(keys.map(({ id }) => id).sort()).toEqual(made.map(({ record }) => record.id).sort());
  });

  test("are unchanged by a command that is refused, and refused with the reason once they are nonsense", async () => {
    const url = await server().databaseWithSchema();
    const keys = openKeys(url);
    const full = fullStore();
    await keys.change((into) => copyKeys(into, full));
    await expect(keys.change((file) => revokeKey(file, "k_none", new Date()))).rejects.toThrow(
      "key k_none does not exist",
    );
    await expect(
      keys.change((file) => ({ file: { ...file, plans: {} }, result: undefined })),
    ).rejects.toThrow("a key has an unknown plan");
    const plans = { gold: { rps: 1, burst: 1 } };
    await expect(keys.change((file) => copyKeys(file, { ...full, plans }))).rejects.toThrow(
      "plan gold has other limits",
    );
    expect(await keys.read()).toEqual(full);

    const sql = queriesOf(openPatiently(url));
    await sql.query(SQL`update tonwire_kept.api_keys set network = 'moon'`);
    await expect(keys.read()).rejects.toThrow(/^the keys in the database are invalid: /);
    await expect(keys.change((file) => setPlan(file, "gold", { rps: 1, burst: 1 }))).rejects.toThrow(
      "invalid",
    );
  });

  test("are read again where a notification was lost", async () => {
    const url = await server().databaseWithSchema();
    const keys = openKeys(url);
    const { text } = await keys.change((file) => createKey(file, order, new Date()));
    const { find, lines, revoked } = await openProcess(url);
    const sql = queriesOf(openPatiently(url));
    await sql.query(SQL`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`);
    const { id } = (await keys.read()).keys[0]!;
    await keys.change((file) => revokeKey(file, id, new Date()));
    await until("the revocation", () => revoked.length > 0);
    expect(find(text)).toBe("unknown-key");
    expect(lines.at(-1)).toBe("the keys were read again: 0 are valid");
  });

  test.runIf(mayStopPostgres)(
    "work while the database is away, and are unknown before it was ever there",
    async () => {
      const own = await TestPostgres.start();
      onTestFinished(() => own.stop());
      const url = await own.database();
      const keys = openKeys(url);
      const { text, record } = await keys.change((file) => createKey(file, order, new Date()));
      const early = await openProcess(url, 1000);
      await own.halt();
      await until("the loss", () => early.access.keysFailure !== undefined);
      expect(early.find(text)).toMatchObject({ keyId: record.id });
      expect(early.find("tw_devnet_other")).toBe("unknown-key");
      expect(
        early.lines.filter((line) => line.startsWith("the keys stay as they were: ")).length,
      ).toBeGreaterThan(0);
      expect(await early.metrics.text()).toMatch(/^tonwire_keys_outdated 1$/m);

      const late = await openProcess(url, 1000);
      expect([late.find(text), late.access.knowsKeys]).toEqual(["unavailable", false]);

      await own.run();
      await until("the keys", () => typeof late.find(text) === "object");
      await keys.change((file) => revokeKey(file, record.id, new Date()));
      await until("the revocation", () => [early, late].every(({ find }) => find(text) === "unknown-key"));
      expect([early.access.keysFailure, late.access.keysFailure]).toEqual([undefined, undefined]);
    },
  );

  test("are made and revoked by the usual commands, which ends connections, and those in a file are unused", async () => {
    const url = await server().databaseWithSchema();
    const data = temporaryFolder();
    const unused = join(data, "keys.json");
    await fileKeyStore(unused).change(() => ({ file: fullStore(), result: undefined }));
    const service = await startService({ databaseUrl: url, keysFile: undefined, data });
    onTestFinished(() => service.close());
    expect(service.logLines.join("")).toContain(
      `API keys are in the database, and the keys in ${unused} are not used: tonwire keys move --to database copies them there`,
    );
    const command = async (...args: string[]) => {
      const ran = await ranCommand("keys", ...args, "--database-url", url, "--json");
      expect(ran.errors).toEqual([]);
      return ran.json();
    };
    await command("plan", "gold", "--rps", "50", "--burst", "100");
    const { key, id } = await command("create", "--plan", "gold", "--label", "one");
    const ask = () => service.get("/api/v2/getMasterchainInfo", { key });
    await until("the key", async () => (await ask()).status === 200);
    expect((await ask()).headers.get("RateLimit-Policy")).toBe('"gold";q=100;w=2');
    const socket = await openSocket(service.url, { headers: { "X-API-Key": key } });
    expect(await command("list")).toMatchObject([{ id, plan: "gold", label: "one" }]);
    expect(await command("plans")).toContainEqual({ name: "gold", rps: 50, burst: 100, keys: 1 });
    await command("revoke", id);
    await socket.closed;
    expect((await ask()).status).toBe(401);
  });

  test("are moved from a file into the database and back by a command", async () => {
    const url = await server().databaseWithSchema();
    const folder = temporaryFolder();
    const [from, back] = [join(folder, "keys.json"), join(folder, "back.json")];
    const full = fullStore();
    await fileKeyStore(from).change(() => ({ file: full, result: undefined }));
    const move = async (path: string, ...args: string[]) =>
      ranCommand("keys", "move", ...args, "--keys-file", path, "--database-url", url);
    expect((await move(from, "--to", "database")).printed).toEqual([
      `4 keys and 2 plans are in the database; ${from} has them, too: once no service reads them there, --remove removes them`,
    ]);
    expect(await openKeys(url).read()).toEqual(full);
    expect((await move(from, "--to", "database", "--remove", "--json")).json()).toEqual({
      ...{ keys: 4, plans: 2, to: "database", removed: true },
    });
    expect(await fileKeyStore(from).read()).toEqual({ version: 1, plans: {}, keys: [] });
    expect((await move(back, "--to", "file", "--remove")).printed).toEqual([
      `4 keys and 2 plans are in ${back}; the database has none any more`,
    ]);
    expect(await fileKeyStore(back).read()).toEqual(full);
    const keys = openKeys(url);
    expect(await keys.read()).toEqual({ version: 1, plans: {}, keys: [] });
    await keys.change((into) => copyKeys(into, full));
    await expect(keys.change((into) => removeCopied(into, { ...full, keys: [] }))).rejects.toThrow(
      "the key store has changed meanwhile",
    );
    const missing = await ranCommand("keys", "move", "--to", "file", "--keys-file", back);
    expect([missing.code, missing.errors]).toEqual([
      2,
      ["tonwire: keys can be moved with --database-url, which is not set"],
    ]);
  });
});
