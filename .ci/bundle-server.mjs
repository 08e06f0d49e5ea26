// Bundles the modules of each process and thread of the server into few files, in place of its entry: loading hundreds
// of single modules, of the server and of packages, takes most of the time until the service answers.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "./bundle-options.mjs";
import { addThirdParty } from "./third-party.mjs";

const top = dirname(import.meta.dirname);
const outdir = join(top, "dist", "server");
const shared = "bundle";

const entryPoints = readdirSync(join(top, "server"), { recursive: true, encoding: "utf8" })
  .filter((path) => path === "main.ts" || path.endsWith("-worker.ts"))
  .map((path) => join(top, "server", path));

/** The URL of a module if it were not bundled. */
function urlOf(path) {
  const compiled = relative(top, path).replaceAll(sep, "/").replace(/\.ts$/, ".js");
  return `(import.meta.url.slice(0, import.meta.url.lastIndexOf("/dist/") + 6) + ${JSON.stringify(compiled)})`;
}

rmSync(join(outdir, shared), { recursive: true, force: true });
const { metafile } = await build({
  ...bundleOptions(urlOf),
  entryPoints,
  outbase: join(top, "server"),
  outdir,
  chunkNames: `${shared}/[hash]`,
  metafile: true,
});
addThirdParty(metafile);

/** Names this code for what later starts keep: all that is bundled, and the versions of what is not. */
const digest = createHash("sha256").update(readFileSync(join(outdir, "third-party.txt")));
const { dependencies } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
digest.update(JSON.stringify(dependencies));
for (const path of Object.keys(metafile.outputs).sort())
  if (path.endsWith(".js")) digest.update(readFileSync(join(top, path)));
writeFileSync(join(outdir, "edition"), digest.digest("hex"));
