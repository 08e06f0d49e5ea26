import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDevnetKey } from "../../../server/access/keys/devnet-key.js";
import { configWith } from "../../../server/config/settings.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const keyOf = (settings: Parameters<typeof configWith>[0]) => openDevnetKey(configWith(settings), noFallback);
const pattern = /^tw_devnet_[\w-]{43}$/;

it("a devnet in memory has another key in each run", () => {
  const [one, two] = [keyOf({}), keyOf({})];
  expect(one).toEqual({ text: expect.stringMatching(pattern) });
  expect(two!.text).not.toBe(one!.text);
});

it("a devnet with a folder keeps its key there, for its user only, and not by its seed", () => {
  const [data, other] = [join(temporaryFolder(), "new"), temporaryFolder()];
  const key = keyOf({ data, devnetSeed: "a" })!;
  expect(key).toEqual({ text: expect.stringMatching(pattern), path: join(data, "devnet.key") });
  expect(readFileSync(key.path!, "utf8")).toBe(`${key.text}\n`);
  expect(statSync(key.path!).mode & 0o777).toBe(0o600);
  expect(keyOf({ data })).toEqual(key);
  expect(keyOf({ data: other, devnetSeed: "a" })!.text).not.toBe(key.text);
});

it("processes that share a key store have one key", () => {
  const folder = temporaryFolder();
  const keysFile = join(folder, "keys.json");
  const key = keyOf({ data: temporaryFolder(), keysFile });
  expect(keyOf({ data: temporaryFolder(), keysFile })).toEqual(key);
});

it("a key that is set is not kept, and other networks have none", () => {
  const data = temporaryFolder();
  expect(keyOf({ data, devnetKey: "my-own-key" })).toEqual({ text: "my-own-key" });
  expect(keyOf({ data, network: "mainnet" })).toBeUndefined();
});

it("a file that is no key, and a folder that cannot have one, are refused with a remedy", () => {
  const data = temporaryFolder();
  writeFileSync(join(data, "devnet.key"), "");
  expect(() => keyOf({ data })).toThrow(
    `${join(data, "devnet.key")} is not a key of a devnet: remove it, and the next start makes another`,
  );
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => keyOf({ data: join(file, "data") })).toThrow(`${file} is a file`);
});
