import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KeptFiles } from "../../server/os/kept-files.js";
import { noFailure } from "../helpers/no-fallback.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

it("finds a written file, also in another process", async () => {
  const folder = join(temporaryFolder(), "new");
  const content = Buffer.from("content");
  expect(await new KeptFiles(folder, 2, noFailure).read("a")).toBeUndefined();
  await new KeptFiles(folder, 2, noFailure).write("a", [content.subarray(0, 3), content.subarray(3)]);
  expect(Buffer.from((await new KeptFiles(folder, 2, noFailure).read("a"))!)).toEqual(content);
});

it("keeps the newest files and nothing else", async () => {
  const folder = temporaryFolder();
  const files = new KeptFiles(folder, 2, noFailure);
  for (const [index, name] of ["a", "b", "c"].entries()) {
    await files.write(name, [Buffer.from(name)]);
    if (index < 2) utimesSync(join(folder, `${name}.kept`), index, index);
  }
  expect(readdirSync(folder).sort()).toEqual(["b.kept", "c.kept"]);
});

it("removes leftovers of processes that ended while they wrote", async () => {
  const folder = temporaryFolder();
  for (const name of ["left.new", "being-written.new", "of-others"])
    writeFileSync(join(folder, name), "part");
  const longAgo = Date.now() / 1000 - 7200;
  for (const name of ["left.new", "of-others"]) utimesSync(join(folder, name), longAgo, longAgo);
  await new KeptFiles(folder, 2, noFailure).write("a", [Buffer.from("a")]);
  expect(readdirSync(folder).sort()).toEqual(["a.kept", "being-written.new", "of-others"]);
});

it("finds the path of a file whose content is intact", async () => {
  const folder = temporaryFolder();
  const files = new KeptFiles(folder, 2, noFailure);
  const path = join(folder, "a.kept");
  expect(await files.find("a")).toBeUndefined();
  const content = Buffer.alloc(3_000_000, "content");
  await files.write("a", [content]);
  const whole = readFileSync(path);
  expect(await files.find("a")).toBe(path);
  expect(whole.subarray(0, -32).equals(content)).toBe(true);
  const flipped = Uint8Array.from(whole);
  flipped[whole.length >> 1]! ^= 1;
  for (const damaged of [flipped, whole.subarray(0, -1), whole.subarray(1), Buffer.alloc(0)]) {
    writeFileSync(path, damaged);
    expect(await files.find("a")).toBeUndefined();
    expect(await files.read("a")).toBeUndefined();
  }
});
