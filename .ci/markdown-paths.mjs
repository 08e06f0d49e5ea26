// Checks that paths in Markdown files exist: repository paths in `code spans`, names of TypeScript files beside the README.md of a
// room, and linked files and headings.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { anchorsOf, linksOf } from "./markdown.mjs";
import { readmePaths, top } from "./readmes.mjs";

const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
  cwd: top,
  encoding: "utf8",
});
const roots = /^(shared|client|server|test|\.ci|\.deploy|\.github)\//;
const read = (path) => readFileSync(join(top, path), "utf8");
const documents = readmePaths();
/** Whether the file is the README.md of a room: its names of files are relative to the room. */
const isOfRoom = (file) => roots.test(file) && !documents.includes(file);
let bad = 0;

function complain(text) {
  console.error(text);
  bad++;
}

for (const file of tracked.split("\n").filter((path) => path && existsSync(join(top, path)))) {
  const text = read(file);
  for (const [, path] of text.matchAll(/`([^`\s]+)`/g)) {
    const isNamed = roots.test(path) || (isOfRoom(file) && /\.(ts|mjs)$/.test(path));
    if (!isNamed || /[*<{]/.test(path) || existsSync(join(top, path))) continue;
    if (isOfRoom(file) && existsSync(join(top, dirname(file), path))) continue;
    complain(`${file} names ${path}, which does not exist`);
  }
  for (const { path, anchor } of linksOf(text)) {
    const target = path === "" ? file : join(dirname(file), path);
    if (!existsSync(join(top, target))) complain(`${file} links to ${target}, which does not exist`);
    else if (anchor !== undefined && !anchorsOf(read(target)).includes(anchor))
      complain(`${file} links to #${anchor} of ${target}, which has no such heading`);
  }
}
process.exit(bad === 0 ? 0 : 1);
