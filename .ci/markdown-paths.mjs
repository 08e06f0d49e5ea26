// Every repository path named in a Markdown file must exist: in `code spans` and in relative links.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const top = dirname(import.meta.dirname);
const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
  cwd: top,
  encoding: "utf8",
});
const roots = /^(shared|client|server|test|\.ci|\.github)\//;
let bad = 0;
for (const file of tracked.split("\n").filter(Boolean)) {
  const text = readFileSync(join(top, file), "utf8");
  const spans = [...text.matchAll(/`([^`\s]+)`/g)]
    .map((match) => match[1])
    .filter((path) => roots.test(path));
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)[^)]*\)/g)].map((match) =>
    join(dirname(file), match[1]),
  );
  for (const path of [...spans, ...links]) {
    if (/[*<{]/.test(path) || existsSync(join(top, path))) continue;
    console.error(`${file} names ${path}, which does not exist`);
    bad++;
  }
}
process.exit(bad === 0 ? 0 : 1);
