import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLong } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { canChangeUser, otherUser, serviceFolder, serviceUser } from "../../helpers/other-users.js";
import { TonwireProcess, tonwire } from "../../helpers/services/command.js";
import { tonwireHere } from "../../helpers/services/command-here.js";
import { until } from "../../helpers/until.js";

/** Each test starts several processes. */
const slow = { timeout: 600_000 };

async function startIn(data: string) {
  const adminPort = await freePort();
  const env = {
    ...{ PORT: "0", TONWIRE_ADMIN_PORT: `${adminPort}`, TONWIRE_DATA: data },
    ...{ TONWIRE_INDEX: "false", TONWIRE_STORY: "false", TONWIRE_DEVNET_KEY_REQUIRED: "true" },
  };
  const service = new TonwireProcess([], { env, user: serviceUser });
  const url = await service.printed(/serves devnet at (\S+)\n/);
  const status = async (key: string) =>
    (await fetch(`${url}/api/v2/getMasterchainInfo`, { headers: { "X-API-Key": key } })).status;
  const isKnown = (key: string) => until("the key", async () => (await status(key)) === 200);
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${adminPort}${path}`)).text();
  const stop = async () => {
    service.send("SIGTERM");
    return service.ended;
  };
  return { service, isKnown, read, stop };
}

/** As an administrator does who is root. */
async function createKey(data: string): Promise<string> {
  const run = await tonwireHere(["keys", "create", "--data", data, "--quiet"]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return run.stdout.trim();
}

const rights = (path: string) => {
  const { uid, gid, mode } = statSync(path);
  return [uid, gid, (mode & 0o777).toString(8)];
};
const ofService = [serviceUser, serviceUser, "600"];

describe.skipIf(!canChangeUser)("keys that root makes for a service of another user", slow, () => {
  it.runIf(isLong)("are valid in the running service and after its next start", async () => {
    const data = serviceFolder();
    const service = await startIn(data);
    const first = await createKey(data);
    await service.isKnown(first);
    expect(rights(join(data, "keys.json"))).toEqual(ofService);
    const second = await createKey(data);
    await service.isKnown(second);
    expect(await service.stop()).toBe(0);
    const next = await startIn(data);
    await next.isKnown(first);
    await next.isKnown(second);
    expect(rights(join(data, "keys.json"))).toEqual(ofService);
    expect(existsSync(join(data, "keys.json.lock"))).toBe(false);
  });

  it("are given back to it if an earlier command kept them", async () => {
    const data = serviceFolder();
    await createKey(data);
    chownSync(join(data, "keys.json"), 0, 0);
    await createKey(data);
    expect(rights(join(data, "keys.json"))).toEqual(ofService);
  });

  it("are found through a link to the data folder, which systemd makes", async () => {
    const data = serviceFolder();
    const link = join(dirname(data), "link");
    symlinkSync(data, link);
    await createKey(link);
    expect(rights(join(data, "keys.json"))).toEqual(ofService);
  });

  it("are written through no link", async () => {
    const data = serviceFolder();
    const target = join(dirname(data), "target");
    writeFileSync(target, "{}");
    symlinkSync(target, join(data, "keys.json.new"));
    await createKey(data);
    const linked = serviceFolder();
    const store = join(dirname(linked), "keys.json");
    writeFileSync(store, readFileSync(join(data, "keys.json")), { mode: 0o644 });
    const before = readFileSync(store, "utf8");
    symlinkSync(store, join(linked, "keys.json"));
    expect(await tonwireHere(["keys", "create", "--data", linked])).toEqual({
      code: 1,
      stdout: "",
      stderr: `tonwire: key store ${linked}/keys.json is not a file: name the file itself with --keys-file\n`,
    });
    expect([readFileSync(target, "utf8"), readFileSync(store, "utf8")]).toEqual(["{}", before]);
  });
});

describe.skipIf(!canChangeUser)("a key store of another user", slow, () => {
  it("is not changed, and the refusal has the command that works", async () => {
    const data = serviceFolder();
    const path = join(data, "keys.json");
    await createKey(data);
    const before = readFileSync(path, "utf8");
    const create = () => tonwire(["keys", "create", "--data", data], { user: otherUser });
    expect(await create()).toEqual({
      code: 1,
      stdout: "",
      stderr:
        `tonwire: key store ${path} cannot be changed: it belongs to user ${serviceUser}, and this command is run by user ` +
        `${otherUser}; run it as that user, for example with: sudo -u '#${serviceUser}' tonwire keys …\n`,
    });
    // In a folder that every user may write to, the owner would change.
    if (isLong) {
      chmodSync(data, 0o777);
      expect((await create()).stderr).toContain("cannot be read: it belongs to user");
      chmodSync(path, 0o644);
      expect((await create()).stderr).toContain("cannot be changed: it belongs to user");
    }
    const mode = isLong ? "644" : "600";
    expect([readFileSync(path, "utf8"), rights(path)]).toEqual([before, [serviceUser, serviceUser, mode]]);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it.runIf(isLong)(
    "leaves the service with the keys before, and shows in its health until it is readable again",
    async () => {
      const data = serviceFolder();
      const path = join(data, "keys.json");
      const service = await startIn(data);
      const key = await createKey(data);
      await service.isKnown(key);
      expect(await service.read("/metrics")).toMatch(/^tonwire_keys_outdated 0$/m);
      chownSync(path, 0, 0);
      const why =
        `key store ${path} cannot be read: it belongs to user 0, and this process runs as user ${serviceUser}; ` +
        `give it to that user as root: chown ${serviceUser} ${path}`;
      await until("the reason", async () => (await service.read("/healthcheck?only=all")) === why);
      expect(await service.read("/metrics")).toMatch(/^tonwire_keys_outdated 1$/m);
      expect(service.service.stderr).toContain(`the keys stay as they were: ${why}`);
      await service.isKnown(key);
      chownSync(path, serviceUser, serviceUser);
      await until("health", async () => (await service.read("/healthcheck?only=all")) === "OK");
      chownSync(path, 0, 0);
      expect(await service.stop()).toBe(0);
      const env = { TONWIRE_DATA: data, PORT: "0", TONWIRE_LOG_LEVEL: "silent" };
      const start = await tonwire([], { env, user: serviceUser });
      expect(start).toEqual({ code: 2, stdout: "", stderr: `tonwire: ${why}\n` });
    },
  );

  it("is not taken for a new one if its folder cannot be entered", async () => {
    const data = serviceFolder();
    await createKey(data);
    const keysFile = join(data, "keys.json");
    const run = await tonwire(["keys", "list", "--keys-file", keysFile], { user: otherUser });
    const remedy = `give it to that user as root: chown -R ${otherUser} ${data}`;
    const why = `user ${otherUser} may not enter its folder; ${remedy}`;
    expect(run).toEqual({
      code: 1,
      stdout: "",
      stderr: `tonwire: key store ${keysFile} cannot be read: ${why}\n`,
    });
    if (!isLong) return;
    const env = { TONWIRE_KEYS_FILE: keysFile, PORT: "0", TONWIRE_LOG_LEVEL: "silent" };
    const start = await tonwire([], { env, user: otherUser });
    expect(start.code).toBe(2);
    expect(start.stderr).toContain(why);
  });
});
