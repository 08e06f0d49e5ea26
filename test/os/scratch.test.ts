import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readIntoScratch, scratchBytes } from "../../server/os/scratch.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

test("scratch bytes are as many as were asked for, and zero", () => {
  for (const length of [0, 1, 65_536, 65_537]) expect(scratchBytes(length)).toEqual(Buffer.alloc(length));
});

test("a file is read into scratch bytes as a whole", () => {
  const path = join(temporaryFolder(), "file");
  const content = Buffer.alloc(100_000, "content");
  writeFileSync(path, content);
  expect(readIntoScratch(path).equals(content)).toBe(true);
});
