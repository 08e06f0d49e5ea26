import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isSetupError } from "../../server/errors.js";
import { makeFolder } from "../../server/os/folder.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

it("a folder is made with those above it, and may be there already", () => {
  const folder = join(temporaryFolder(), "a", "b", "c");
  makeFolder(folder);
  makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

it.runIf(process.platform === "linux")(
  "a folder in a file system that takes no new names is refused at once",
  () => {
    let error: unknown;
    try {
      makeFolder("/proc/nope/below");
    } catch (thrown) {
      error = thrown;
    }
    expect(isSetupError(error) && error.message).toBe(
      "/proc/nope/below cannot be a folder: ENOENT: no such file or directory, mkdir '/proc/nope'",
    );
  },
);
