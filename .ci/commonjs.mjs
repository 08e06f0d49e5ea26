// Makes the CommonJS form of the entries for programs of others beside the ES modules in dist: bundles, and declarations that
// are the same but for the names they import. Part of the build.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
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

const rooms = ["debug", "ton", "values", "watch", "webhooks", "text", "devnet-wallet"].map(
  (room) => `${room}/index`,
);
const client = ["index", "node", "methods", ...rooms].map((name) => `client/${name}`);
await build({
  ...shared,
  entryPoints: client.map((name) => join(dist, `${name}.js`)),
  platform: "neutral",
  external: ["ws", "@ton/core", "@ton/crypto"],
  // Each bundle has its copy of what they share.
  minifyWhitespace: true,
});

/**
 * Entries for proofs bring the packages that they need, as the client has no dependencies. They share one copy of their classes.
 * Made of the sources: one form replaces their output.
 */
const proofs = "client/verified";
const verifiedEntries = {
  [`${proofs}/index`]: `${proofs}/index.ts`,
  [`${proofs}/tvm`]: `${proofs}/tvm/index.ts`,
};
const verified = { ...shared, outbase: top, conditions: ["browser"], minify: true, platform: "neutral" };
/** Parts of the client that other entries have, too, are not bundled: all output lies in folders of one depth. */
const ordinaryClient = {
  name: "one copy of the ordinary client",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/.*\.js$/ }, ({ path, resolveDir }) => {
      const target = relative(join(top, "client"), join(resolveDir, path));
      const isOrdinary = !target.startsWith("..") && !target.startsWith("verified/");
      return isOrdinary ? { path: `../${target}`, external: true } : undefined;
    });
  },
};
// Names of parts contain their hashes: those of earlier builds would stay.
for (const name of readdirSync(join(dist, proofs)))
  if (name.startsWith("part-")) rmSync(join(dist, proofs, name));
await build({
  ...verified,
  format: "esm",
  outExtension: {},
  entryPoints: Object.fromEntries(
    Object.entries(verifiedEntries).map(([name, source]) => [name, join(top, source)]),
  ),
  splitting: true,
  chunkNames: `${proofs}/part-[name]-[hash]`,
  plugins: [ordinaryClient],
});
/** Typed contracts read and write cells, and bring what that needs. */
const typed = "client/contract/index";
const entryPoints = { [typed]: join(top, `${typed}.ts`) };
await build({ ...verified, entryPoints });
await build({ ...verified, entryPoints, format: "esm", outExtension: {}, plugins: [ordinaryClient] });
const both = `${proofs}/all.cjs`;
const { outdir: _, outExtension: __, ...toFile } = verified;
await build({
  ...toFile,
  stdin: {
    contents: Object.values(verifiedEntries)
      .map((source, index) => `export * as entry${index} from "./${source}";`)
      .join("\n"),
    resolveDir: top,
    loader: "ts",
  },
  outfile: join(dist, both),
});
for (const [index, name] of Object.keys(verifiedEntries).entries())
  writeFileSync(join(dist, `${name}.cjs`), `module.exports = require("./all.cjs").entry${index};\n`);

/** A devnet for tests, which starts a thread whose ES module lies beside it, and matchers. */
const devnet = ["server/process/workers/devnet-library", "server/process/devnet-tests/matchers"];
await build({
  ...shared,
  entryPoints: devnet.map((name) => join(dist, `${name}.js`)),
  platform: "node",
  external: ["@ton/core"],
  // Test frameworks that replace `require`, as jest does, have no import() in CommonJS.
  supported: { "dynamic-import": false },
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
const verifiedTypes = Object.values(verifiedEntries).map((source) => source.replace(/\.ts$/, ""));
for (const name of [...client, typed, ...verifiedTypes, "client/text/answer-types", ...devnet])
  declare(join(dist, `${name}.d.ts`), declared);
