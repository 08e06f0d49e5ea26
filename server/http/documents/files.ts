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

/** Scripts, styles and images of the service's own pages. */
export function pageFiles(): [path: string, asset: Asset][] {
  const folder = pageFolder();
  const names = readdirSync(folder).filter((name) => extname(name) in types);
  return names.map((name) => [`/pages/${name}`, file(folder, name)]);
}

/** The two files of swagger-ui-dist that the Swagger pages need. */
export function swaggerFiles(): [path: string, asset: Asset][] {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const names = ["swagger-ui-bundle.js", "swagger-ui.css"];
  return names.map((name) => [`/swagger-ui/${name}`, file(folder, name)]);
}

/** Folder of the compiled page scripts. In a source tree it is the build output. */
function pageFolder(): string {
  const compiled = import.meta.url.endsWith(".ts") ? "../../../dist/server/http/pages" : "../pages";
  return fileURLToPath(new URL(compiled, import.meta.url));
}

function file(folder: string, name: string): Asset {
  return new Asset(types[extname(name)]!, async () => {
    const bytes = await readFile(join(folder, name));
    // Source maps are not served, so references to them are removed.
    return Buffer.from(bytes.toString().replace(/\/[/*][#@] sourceMappingURL=\S+( ?\*\/)?\s*$/, ""));
  });
}
