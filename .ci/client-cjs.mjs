// Makes the CommonJS form of the client's entries beside the ES modules in dist/client: bundles, and declarations that
// are the same but for the names they import. Part of the build.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const client = join(dirname(import.meta.dirname), "dist", "client");
const entries = ["index", "node", "methods", "ton"];

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

for (const path of readdirSync(client, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
  const text = readFileSync(join(client, path), "utf8")
    .replace(/\/\/# sourceMappingURL.*\n?/, "")
    // Types alone come from shared/, which is there as ES modules only.
    .replace(
      /import (?:type )?(\{[^}]*\}) from "((?:\.\.\/)+shared\/[^"]+)";/g,
      'import type $1 from "$2" with { "resolution-mode": "import" };',
    )
    .replace(/(from "\.{1,2}\/(?:(?!shared\/)[^"])*)\.js"/g, '$1.cjs"');
  writeFileSync(join(client, path.replace(/\.d\.ts$/, ".d.cts")), text);
}
