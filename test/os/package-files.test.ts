import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../server/os/folder.js";
import { packageFolder } from "../../server/os/package-files.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

it("the folder of the package is the nearest one above with a manifest", () => {
  const folder = temporaryFolder();
  const start = join(folder, "dist", "server");
  makeFolder(start);
  writeFileSync(join(folder, "package.json"), "{}");
  expect(packageFolder(start)).toBe(folder);
});

it("files without a manifest above them are an error instead of a search without end", () => {
  expect(() => packageFolder("/nowhere/dist/server")).toThrow(
    "no package.json in /nowhere/dist/server or in a folder above it",
  );
});
