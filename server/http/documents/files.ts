import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Asset } from "./asset.js";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Scripts, styles and pictures of our own pages. */
export function pageFiles(): [path: string, asset: Asset][] {
  const folder = pageFolder();
  const names = readdirSync(folder).filter((name) => extname(name) in types);
  return names.map((name) => [`/pages/${name}`, file(folder, name)]);
}

/** What the Swagger pages need of their package, without its source maps and other builds. */
export function swaggerFiles(): [path: string, asset: Asset][] {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const names = ["swagger-ui-bundle.js", "swagger-ui.css"];
  return names.map((name) => [`/swagger-ui/${name}`, file(folder, name)]);
}

/** Browsers need compiled scripts: from a source tree they are taken from where the build puts them. */
function pageFolder(): string {
  const compiled = import.meta.url.endsWith(".ts") ? "../../../dist/server/http/pages" : "../pages";
  return fileURLToPath(new URL(compiled, import.meta.url));
}

function file(folder: string, name: string): Asset {
  return new Asset(types[extname(name)]!, async () => {
    const bytes = await readFile(join(folder, name));
    // A map that is not served would only be asked for in vain.
    return Buffer.from(bytes.toString().replace(/\/[/*][#@] sourceMappingURL=\S+( ?\*\/)?\s*$/, ""));
  });
}
