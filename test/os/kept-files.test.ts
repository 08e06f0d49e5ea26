import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KeptFiles } from "../../server/os/kept-files.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

it("finds what was written, also by another process", async () => {
  const folder = join(temporaryFolder(), "new");
  const content = Buffer.from("content");
  expect(await new KeptFiles(folder, 2).read("a")).toBeUndefined();
  await new KeptFiles(folder, 2).write("a", content);
  expect(Buffer.from((await new KeptFiles(folder, 2).read("a"))!)).toEqual(content);
});

it("keeps the newest files and nothing else", async () => {
  const folder = temporaryFolder();
  const files = new KeptFiles(folder, 2);
  for (const [index, name] of ["a", "b", "c"].entries()) {
    await files.write(name, Buffer.from(name));
    if (index < 2) utimesSync(join(folder, `${name}.kept`), index, index);
  }
  expect(readdirSync(folder).sort()).toEqual(["b.kept", "c.kept"]);
});
