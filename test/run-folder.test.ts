import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./helpers/temporary-folder.js";
import { removeLeft } from "./run-folder.js";

test("a run removes the folders of runs that were killed, and no others", () => {
  const parent = temporaryFolder();
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const names = [`tonwire-run-${ended}-aB3`, `tonwire-run-${process.pid}-cD4`, "tonwire-run-eF5", "postgres"];
  for (const name of names) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, "file"), "content");
  }
  removeLeft(parent);
  expect(readdirSync(parent).sort()).toEqual(names.slice(1).sort());
});
