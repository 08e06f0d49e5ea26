import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FolderImage, imageOf } from "../../../server/store/pglite/folder-image.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** A folder with files, the last of them long, and an empty folder. */
function exampleFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "base", "5"), { recursive: true });
  mkdirSync(join(folder, "empty"));
  writeFileSync(join(folder, "base", "5", "one"), "first");
  writeFileSync(join(folder, "base", "5", "none"), "");
  writeFileSync(join(folder, "version"), Buffer.alloc(100_000, "18"));
  return folder;
}

function imageOfExample(folder: string): string {
  const path = join(temporaryFolder(), "image");
  writeFileSync(path, imageOf(folder));
  return path;
}

test("a copy of an image has the folders and files that it was made of", () => {
  const folder = exampleFolder();
  const copy = temporaryFolder();
  const image = new FolderImage(imageOfExample(folder));
  image.copyTo(copy);
  image.close();
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  expect(readdirSync(copy, { recursive: true, encoding: "utf8" }).sort()).toEqual(names);
  for (const name of ["base/5/one", "base/5/none", "version"])
    expect(readFileSync(join(copy, name))).toEqual(readFileSync(join(folder, name)));
});

test("an image that ends too early is not read as if it went on", () => {
  const path = imageOfExample(exampleFolder());
  writeFileSync(path, readFileSync(path).subarray(0, -1));
  const image = new FolderImage(path);
  expect(() => image.copyTo(temporaryFolder())).toThrow("an image ends too early");
  image.close();
});
