import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ArtifactFolder } from "../../server/artifacts/folder.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

function watched(path: string) {
  const store = new ArtifactStore();
  const failures: string[] = [];
  const folder = new ArtifactFolder(path, {
    read: (artifacts) => store.setOwn(artifacts),
    failed: (reason) => failures.push(reason),
  });
  return { folder, failures, names: () => store.list().map(({ contract }) => contract) };
}

function write(folder: string, file: string, content: unknown): void {
  writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
}

test("a folder is read with its sub-folders, and other files are left alone", async () => {
  const path = temporaryFolder();
  mkdirSync(join(path, "build/deep"), { recursive: true });
  mkdirSync(join(path, "node_modules"));
  mkdirSync(join(path, ".cache"));
  write(path, "build/deep/a.abi.json", tolkAbi({ contract_name: "A" }));
  write(path, "node_modules/b.abi.json", tolkAbi({ contract_name: "B" }));
  write(path, ".cache/c.abi.json", tolkAbi({ contract_name: "C" }));
  write(path, "package.json", { name: "x" });
  write(path, "half.json", '{"abi_schema_version": "1.0"');
  write(path, "bad.json", tolkAbi({ abi_schema_version: "3.0" }));
  write(path, "huge.json", " ".repeat(5 << 20));
  symlinkSync(join(path, "build/deep/a.abi.json"), join(path, "link.json"));
  const { folder, failures, names } = watched(path);
  await folder.read();
  expect(names()).toEqual(["A"]);
  expect(failures).toEqual([
    "bad.json is not used: the schema of an ABI is 1.0, not 3.0",
    "huge.json is not used: more than 4 MiB",
  ]);
  await folder.close();
});

test("a rebuild is seen without a restart, and so are new and deleted files", async () => {
  const path = temporaryFolder();
  const { folder, names } = watched(path);
  await folder.start();
  expect(names()).toEqual([]);
  write(path, "a.json", tolkAbi({ contract_name: "First" }));
  await until("the folder to be read", () => names().join() === "First");
  write(path, "a.json", tolkAbi({ contract_name: "Second" }));
  await until("the folder to be read", () => names().join() === "Second");
  rmSync(join(path, "a.json"));
  await until("the folder to be read", () => names().length === 0);
  await folder.close();
});

test("a folder that does not exist yet is reported once, and read when it exists", async () => {
  const path = join(temporaryFolder(), "build");
  const { folder, failures, names } = watched(path);
  await folder.start();
  await folder.read();
  expect(failures).toEqual([expect.stringContaining("cannot be read: ENOENT")]);
  mkdirSync(path);
  write(path, "a.json", tolkAbi({ contract_name: "A" }));
  await until("the folder to be read", () => names().join() === "A");
  await folder.close();
});
