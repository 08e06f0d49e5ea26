// Puts what each process and thread of the server loads into few files, in the place of its entry: a module of its own
// for each of hundreds of files takes most of the time until the service answers.
import { readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";

const top = dirname(import.meta.dirname);
const outdir = join(top, "dist", "server");
const shared = "bundle";

const entryPoints = readdirSync(join(top, "server"), { recursive: true, encoding: "utf8" })
  .filter((path) => path === "main.ts" || path.endsWith("-worker.ts"))
  .map((path) => join(top, "server", path));

/** Modules find files beside them, so they keep their own URLs. */
const ownUrls = {
  name: "own URLs",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const compiled = relative(top, path).replaceAll(sep, "/").replace(/\.ts$/, ".js");
      const url = `(import.meta.url.slice(0, import.meta.url.lastIndexOf("/dist/") + 6) + ${JSON.stringify(compiled)})`;
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
};

rmSync(join(outdir, shared), { recursive: true, force: true });
await build({
  entryPoints,
  outbase: join(top, "server"),
  outdir,
  chunkNames: `${shared}/[hash]`,
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  keepNames: true,
  plugins: [ownUrls],
  logLevel: "error",
});
