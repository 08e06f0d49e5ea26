// Bundles the explorer, with the parts of the client that it uses, into one script beside the other pages. Part of the build.
import { dirname, join } from "node:path";
import { build } from "esbuild";

const top = dirname(import.meta.dirname);

await build({
  entryPoints: [join(top, "server/http/explorer/main.ts")],
  outfile: join(top, "dist/server/http/explorer/main.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
});
