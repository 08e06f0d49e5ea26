import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCatalogueFile } from "../../server/artifacts/catalogue-process.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const contract = {
  ...{ id: "a", displayName: "A", hashes: ["11".repeat(32)], knownAddresses: [], links: [] },
  compilerAbi: tolkAbi({ contract_name: "A" }),
};

function fileOf(text: string): string {
  const path = join(temporaryFolder(), "catalogue.json");
  writeFileSync(path, text);
  return path;
}

test("a catalogue is read by a process of its own", async () => {
  const path = fileOf(JSON.stringify({ schemaVersion: 1, contracts: [contract] }));
  const { contracts, revision } = await readCatalogueFile(path);
  expect(contracts).toMatchObject([{ contract: "A", trust: "curated", entry: { id: "a" } }]);
  expect(contracts[0]!.coder!().abi.contract).toBe("A");
  expect(revision).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ["a malformed one", () => fileOf('{"schemaVersion": 2}'), "the schemaVersion of a catalogue is 1"],
  ["one that is not JSON", () => fileOf("{"), "JSON"],
  ["one that is missing", () => join(temporaryFolder(), "gone.json"), "ENOENT"],
])("says what is wrong with %s", async (_, path, reason) => {
  await expect(readCatalogueFile(path())).rejects.toThrow(reason);
});

test("ends its process when it is not needed any more", async () => {
  const path = fileOf(JSON.stringify({ schemaVersion: 1, contracts: [contract] }));
  const closing = new AbortController();
  const reading = readCatalogueFile(path, closing.signal);
  closing.abort();
  await expect(reading).rejects.toThrow("aborted");
});
