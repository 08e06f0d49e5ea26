// Bundles the explorer, with the parts of the client that it uses, into a script beside the other pages, and scripts that it loads
// for views and data when they are needed; its styles become one file. Part of the build.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const top = dirname(import.meta.dirname);

const folder = join(top, "dist/server/web/explorer");
// Names of parts contain their hashes: those of earlier builds would stay.
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (name.endsWith(".js")) rmSync(join(folder, name));

const options = {
  bundle: true,
  minify: true,
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};

/** The verifier is bundled by itself: parts that it shared with the first view would be more files to load there. */
const verifier = {
  name: "verifier",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/verify\/verifying\.js$/ }, () => ({ path: "./verifying.js", external: true })),
};

await build({
  ...options,
  plugins: [verifier],
  entryPoints: {
    main: join(top, "server/web/explorer/main.ts"),
    explorer: join(top, "server/web/explorer/explorer.css"),
  },
  outdir: folder,
  chunkNames: "[name]-[hash]",
  splitting: true,
  format: "esm",
});
await build({
  ...options,
  entryPoints: { verifying: join(top, "server/web/explorer/verify/verifying.ts") },
  outdir: folder,
  format: "esm",
});
// A script in the head of all pages, which is no module: the browser draws nothing before it has run.
await build({
  ...options,
  entryPoints: { theme: join(top, "server/web/explorer/theme.ts") },
  outdir: folder,
  format: "iife",
});
