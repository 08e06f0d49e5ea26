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

/** Scripts that are bundled by themselves: parts that they shared with the first view would be more files to load there. */
const alone = {
  verifying: join(top, "server/web/explorer/verify/verifying.ts"),
  contract: join(top, "server/web/explorer/contract/contract.ts"),
  debugger: join(top, "server/web/explorer/debugger/debugger.ts"),
};
const loadedLater = {
  name: "loaded later",
  setup: ({ onResolve }) => {
    for (const name of Object.keys(alone))
      onResolve({ filter: new RegExp(`/${name}\\.js$`) }, () => ({ path: `./${name}.js`, external: true }));
  },
};

await build({
  ...options,
  plugins: [loadedLater],
  entryPoints: {
    main: join(top, "server/web/explorer/main.ts"),
    explorer: join(top, "server/web/explorer/explorer.css"),
  },
  outdir: folder,
  chunkNames: "[name]-[hash]",
  splitting: true,
  format: "esm",
});
// Verification loads the emulator and what belongs to it when a transaction is debugged.
const { verifying, ...others } = alone;
await build({ ...options, entryPoints: others, outdir: folder, format: "esm" });
await build({
  ...options,
  entryPoints: { verifying },
  outdir: folder,
  chunkNames: "[name]-[hash]",
  splitting: true,
  format: "esm",
});
// A script in the head of all pages, which is no module: the browser draws nothing before it has run.
await build({
  ...options,
  entryPoints: { theme: join(top, "server/web/explorer/theme.ts") },
  outdir: folder,
  format: "iife",
});
