// Makes the CommonJS form of the entries for programs of others beside the ES modules in dist: bundles, and declarations that
// are the same but for the names they import. Part of the build.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const top = dirname(import.meta.dirname);
const dist = join(top, "dist");

const shared = {
  outdir: dist,
  outbase: dist,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  target: "es2022",
  logLevel: "warning",
};

const rooms = ["ton", "values", "watch", "webhooks", "text", "devnet-wallet"].map((room) => `${room}/index`);
const client = ["index", "node", "methods", ...rooms].map((name) => `client/${name}`);
await build({
  ...shared,
  entryPoints: client.map((name) => join(dist, `${name}.js`)),
  platform: "neutral",
  external: ["ws", "@ton/core", "@ton/crypto"],
  // Each bundle has its copy of what they share.
  minifyWhitespace: true,
});

/** Brings the packages for proofs in both forms, as the client has no dependencies. Made of the sources: one form replaces their output. */
const verified = {
  entryPoints: [join(top, "client/verified/index.ts")],
  outbase: top,
  conditions: ["browser"],
  minify: true,
};
await build({ ...shared, ...verified, platform: "neutral" });
// Names of parts contain their hashes: those of earlier builds would stay.
const folder = join(dist, "client/verified");
for (const name of readdirSync(folder)) if (name.startsWith("part-")) rmSync(join(folder, name));
await build({
  ...shared,
  ...verified,
  platform: "neutral",
  format: "esm",
  splitting: true,
  chunkNames: "client/verified/part-[name]-[hash]",
  outExtension: {},
  plugins: [
    {
      name: "one copy of the ordinary client",
      setup({ onResolve }) {
        onResolve({ filter: /^\.\.\/[\w-]+\.js$/ }, ({ path, importer }) =>
          dirname(importer) === join(top, "client/verified") ? { path, external: true } : undefined,
        );
      },
    },
  ],
});

/** Starts a thread, whose ES module lies beside it. */
const devnet = "server/process/devnet-library";
await build({
  ...shared,
  entryPoints: [join(dist, `${devnet}.js`)],
  platform: "node",
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
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
// The package has types of answers in place of schemas.
for (const name of [...client, "client/verified/index", "client/text/answer-types", devnet])
  declare(join(dist, `${name}.d.ts`), declared);
