import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createKey,
  removePlan,
  revokeKey,
  rotateKey,
  setPlan,
} from "../../../server/access/keys/key-commands.js";
import {
  changeKeyFile,
  hashKey,
  type KeyFile,
  KeyStoreError,
  parseKeyFile,
  readKeyFile,
  readOrNewKeyFile,
} from "../../../server/access/keys/key-file.js";
import { planNamed } from "../../../server/access/limits/plan.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const now = new Date("2026-01-02T03:04:05.000Z");
const empty: KeyFile = { version: 1, plans: {}, keys: [] };
const order = { network: "devnet", plan: "standard", label: "a label" } as const;

describe("a new key", () => {
  it("contains the network's name and 32 random bytes, and only its hash is stored", () => {
    const { file, result } = createKey(empty, order, now);
    expect(result.text).toMatch(/^tw_devnet_[A-Za-z0-9_-]{43}$/);
    const hash = hashKey(result.text);
    expect(file.keys).toEqual([
      {
        id: `k_${hash.slice(0, 12)}`,
        hash,
        network: "devnet",
        plan: "standard",
        label: "a label",
        created_at: "2026-01-02T03:04:05.000Z",
      },
    ]);
    expect(createKey(empty, order, now).result.text).not.toBe(result.text);
  });

  it("requires an existing plan", () => {
    const attempt = () => createKey(empty, { ...order, plan: "gold" }, now);
    expect(attempt).toThrow(
      new KeyStoreError("plan gold does not exist; existing plans: standard, unlimited"),
    );
    const { file } = setPlan(empty, "gold", { rps: 5, burst: 50 });
    expect(createKey(file, { ...order, plan: "gold" }, now).result.record.plan).toBe("gold");
  });

  it("is refused for the plan of anonymous callers", () => {
    expect(() => createKey(empty, { ...order, plan: "anonymous" }, now)).toThrow(
      "plan anonymous does not exist",
    );
  });
});

describe("revoking and rotating a key", () => {
  const { file, result } = createKey(empty, order, now);
  const later = new Date("2026-02-01T00:00:00.000Z");

  it("takes effect at once for a revocation, which cannot be repeated", () => {
    const revoked = revokeKey(file, result.record.id, later).file;
    expect(revoked.keys).toEqual([{ ...result.record, revoked_at: "2026-02-01T00:00:00.000Z" }]);
    expect(() => revokeKey(revoked, result.record.id, later)).toThrow(
      "was revoked at 2026-02-01T00:00:00.000Z",
    );
    expect(() => revokeKey(file, "k_none", later)).toThrow("key k_none does not exist");
  });

  it("takes effect after the grace period of a rotation", () => {
    const rotated = rotateKey(file, result.record.id, 3_600_000, later);
    const { record } = rotated.result;
    expect(rotated.file.keys).toEqual([
      { ...result.record, expires_at: "2026-02-01T01:00:00.000Z", replaced_by: record.id },
      { ...order, id: record.id, hash: hashKey(rotated.result.text), created_at: later.toISOString() },
    ]);
  });

  it("keeps an earlier expiry of the old key, and gives the new key a lifetime of the same length", () => {
    const soon = new Date(later.getTime() + 60_000);
    const mortal = createKey(empty, { ...order, expiresAt: soon }, now);
    const rotated = rotateKey(mortal.file, mortal.result.record.id, 3_600_000, later);
    const next = new Date(later.getTime() + (soon.getTime() - now.getTime()));
    const ends = rotated.file.keys.map(({ expires_at }) => expires_at);
    expect(ends).toEqual([soon.toISOString(), next.toISOString()]);
  });

  it("is refused for a key that was already rotated", () => {
    const rotated = rotateKey(file, result.record.id, 3_600_000, later);
    const again = () => rotateKey(rotated.file, result.record.id, 3_600_000, later);
    expect(again).toThrow(`was already replaced by ${rotated.result.record.id}`);
  });
});

describe("a custom plan", () => {
  it.each([
    [
      "Gold",
      { rps: 1, burst: 1 },
      "a plan name has up to 32 characters of a-z, 0-9 and -, and starts with a letter",
    ],
    ["standard", { rps: 1, burst: 1 }, "this plan is built in"],
    ["anonymous", { rps: 1, burst: 1 }, "this plan is built in"],
    ["gold", { rps: 10, burst: 15 }, "burst must be a multiple of rps"],
    ["gold", { rps: 10, burst: 5 }, "burst must be a multiple of rps"],
  ])("named %s with %j is refused: %s", (name, limit, message) => {
    expect(() => setPlan(empty, name, limit)).toThrow(new KeyStoreError(message));
  });
});

describe("removing a plan", () => {
  const { file: planned } = setPlan(empty, "gold", { rps: 5, burst: 50 });

  it("waits until its keys are revoked, which stay in the store", () => {
    const { file, result } = createKey(planned, { ...order, plan: "gold" }, now);
    const { id } = result.record;
    expect(() => removePlan(file, "gold")).toThrow(
      new KeyStoreError(`plan gold has keys that are not revoked, such as ${id}: revoke them first`),
    );
    const left = removePlan(revokeKey(file, id, now).file, "gold").file;
    expect(parseKeyFile(JSON.stringify(left))).toEqual(left);
    expect(left).toMatchObject({ plans: {}, keys: [{ id, plan: "gold" }] });
    // If an edit of the file makes the key valid again, it keeps a limit.
    expect(planNamed("gold", left.plans).limit).toEqual({ rps: 10, burst: 10 });
  });

  it("is refused for a plan that is built in or does not exist", () => {
    for (const name of ["standard", "silver"])
      expect(() => removePlan(planned, name)).toThrow(
        new KeyStoreError(`there is no custom plan ${name}; custom plans: gold`),
      );
    expect(() => removePlan(empty, "gold")).toThrow("custom plans: none");
  });
});

describe("the key store on disk", () => {
  it("contains no key text and is readable by its owner only", async () => {
    const path = join(temporaryFolder(), "deeper", "keys.json");
    const { text } = await changeKeyFile(path, (file) => createKey(file, order, now));
    expect(readFileSync(path, "utf8")).not.toContain(text.slice("tw_devnet_".length));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readKeyFile(path).keys.map(({ hash }) => hash)).toEqual([hashKey(text)]);
  });

  it("keeps every change of concurrent writers", async () => {
    const path = join(temporaryFolder(), "keys.json");
    const made = await Promise.all(
      Array.from({ length: 20 }, () => changeKeyFile(path, (file) => createKey(file, order, now))),
    );
    const ids = readKeyFile(path).keys.map(({ id }) => id);
    expect(ids.sort()).toEqual(made.map(({ record }) => record.id).sort());
  });

  it("is unchanged and unlocked after a failed change", async () => {
    const path = join(temporaryFolder(), "keys.json");
    await changeKeyFile(path, (file) => createKey(file, order, now));
    const before = readFileSync(path, "utf8");
    await expect(changeKeyFile(path, (file) => revokeKey(file, "k_none", now))).rejects.toThrow();
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(dirname(path))).toEqual(["keys.json"]);
    await changeKeyFile(path, (file) => createKey(file, order, now));
    expect(readKeyFile(path).keys).toHaveLength(2);
  });

  it("is refused as a whole if any part is invalid, and the error names the part", () => {
    const { file } = createKey(empty, order, now);
    const key = file.keys[0]!;
    const refused = (value: unknown) => () => parseKeyFile(JSON.stringify(value));
    expect(refused({ ...file, version: 2 })).toThrow("version");
    expect(refused({ ...file, keys: [{ ...key, hash: "ab" }] })).toThrow("keys[0].hash");
    expect(refused({ ...file, keys: [{ ...key, plan: "gold" }] })).toThrow("a key has an unknown plan");
    expect(refused({ ...file, keys: [key, key] })).toThrow("two keys have the same id");
    expect(refused({ ...file, keys: [{ ...key, surprise: 1 }] })).toThrow("surprise");
    expect(refused({ ...file, plans: { gold: { rps: 2, burst: 3 } } })).toThrow("multiple");
    expect(parseKeyFile(JSON.stringify(file))).toEqual(file);
  });

  it("counts as empty without a file, and throws for an invalid file", () => {
    const path = join(temporaryFolder(), "keys.json");
    expect(readOrNewKeyFile(path)).toEqual(empty);
    expect(() => readKeyFile(path)).toThrow(`key store ${path} does not exist`);
    writeFileSync(path, "{");
    expect(() => readOrNewKeyFile(path)).toThrow(`key store ${path} cannot be read`);
  });
});
