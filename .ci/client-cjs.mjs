// Makes the CommonJS form of the client's entries beside the ES modules in dist: bundles, and declarations that are the
// same but for the names they import. Part of the build.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const client = join(dirname(import.meta.dirname), "dist", "client");
const entries = ["index", "node", "methods", "ton", "values"];

await build({
  entryPoints: Object.fromEntries(entries.map((name) => [name, join(client, `${name}.js`)])),
  outdir: client,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  platform: "neutral",
  target: "es2022",
  external: ["ws", "@ton/core"],
  logLevel: "warning",
});

/** Declarations reached from an entry, also those in shared/, which has no CommonJS code but types that the client shows. */
function declare(path, done) {
  if (done.has(path)) return;
  done.add(path);
  const text = readFileSync(path, "utf8").replace(/\/\/# sourceMappingURL.*\n?/, "");
  const imports = /(from |import\()"(\.{1,2}\/[^"]+)\.js"/g;
  writeFileSync(path.replace(/\.ts$/, ".cts"), text.replace(imports, '$1"$2.cjs"'));
  for (const [, , target] of text.matchAll(imports)) declare(join(dirname(path), `${target}.d.ts`), done);
}
const declared = new Set();
for (const name of entries) declare(join(client, `${name}.d.ts`), declared);
