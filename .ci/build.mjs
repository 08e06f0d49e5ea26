// Compiles the published projects into dist/ (incremental) and puts what is not TypeScript beside the result. With
// `--if-changed` nothing is done if dist/ is what the sources make.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { beginBuild, endBuild, isBuilt } from "./sources.mjs";

if (process.argv.includes("--if-changed") && isBuilt()) process.exit(0);

const top = dirname(import.meta.dirname);
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
const projects = ["shared", "client", "server"];

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: top, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

beginBuild();
// Types and functions of the client are made from the registry, so that comes first.
run(tsc, "-b", "shared");
run(".ci/client-types.mjs");
run(".ci/client-methods.mjs");
run(tsc, "-b", "shared/ton", ...projects);
run(".ci/commonjs.mjs");
run(".ci/bundle-server.mjs");

const isAsset = (path) => ![".ts", ".json", ".md"].includes(extname(path)) || path.endsWith(".data.json");
/** Separate projects, packed without changes, and styles that are part of one file. */
const left = [join(top, "client", "examples"), join(top, "server", "web", "explorer", "styles")];
// Every file in this folder is applied: one that the sources have no more must not stay.
rmSync(join(top, "dist", "server", "store", "schema"), { recursive: true, force: true });
for (const project of projects) {
  cpSync(join(top, project), join(top, "dist", project), {
    recursive: true,
    filter: (source) => !left.includes(source) && (extname(source) === "" || isAsset(source)),
  });
}
run(".ci/explorer.mjs");
run(".ci/empty-database.mjs");
run(".ci/first-blocks.mjs");
endBuild();
