import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const checkers = join(import.meta.dirname, "../../.ci");

/** Runs a checker of `.ci` on a project with these files. Returns its status, and the groups of each match of `report`. */
export function runChecker(checker: string, files: Record<string, readonly string[]>, report: RegExp) {
  const folder = temporaryFolder();
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: { module: "nodenext" } }));
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), lines.join("\n"));
  const { status, stderr } = spawnSync(process.execPath, [join(checkers, checker), config], {
    encoding: "utf8",
  });
  return { status, reports: Array.from(stderr.matchAll(report), ([, ...groups]) => groups) };
}

/** As `runChecker`, with the reports as `file:line name`. */
export function namesReported(checker: string, files: Record<string, readonly string[]>, report: RegExp) {
  const { status, reports } = runChecker(checker, files, report);
  return [status, reports.map(([file, line, name]) => `${file}:${line} ${name}`)];
}
