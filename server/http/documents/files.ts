import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { emulatorPaths } from "../../../shared/values/emulator-build.js";
import { memberOf } from "../../../shared/values/lookups.js";
import { vendored } from "../../os/package-files.js";
import { Asset } from "./asset.js";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Scripts, styles and images of the service's own pages. */
export function pageFiles(): [path: string, asset: Asset][] {
  return ["pages", "explorer"].flatMap((room) => {
    const folder = compiledFolder(room);
    const names = readdirSync(folder, { encoding: "utf8", recursive: true }).filter(
      (name) => extname(name) in types,
    );
    return names.map((name): [string, Asset] => [
      `/${room}/${name.replaceAll(sep, "/")}`,
      file(folder, name),
    ]);
  });
}

/** The two files of swagger-ui-dist that the Swagger pages need. */
export function swaggerFiles(): [path: string, asset: Asset][] {
  const folder = vendored("swagger-ui");
  const names = ["swagger-ui-bundle.js", "swagger-ui.css"];
  return names.map((name) => [`/swagger-ui/${name}`, file(folder, name)]);
}

/** The emulator, for pages that run get-methods themselves: they check its hashes, so that any service may send it. */
export function emulatorFiles(): [path: string, asset: Asset][] {
  const sent = (type: string, name: string) =>
    Asset.fixed(type, () => readFile(vendored(`emulator/${name}`)));
  return [
    [emulatorPaths.wasm, sent("application/wasm", "emulator.wasm")],
    [emulatorPaths.script, sent(memberOf(types, ".js"), "emulator.cjs")],
  ];
}

/** Folder of compiled scripts of pages. In a source tree it is in the build output. */
function compiledFolder(room: string): string {
  const compiled = import.meta.url.endsWith(".ts") ? "../../../dist/server/web" : "../../web";
  return fileURLToPath(new URL(`${compiled}/${room}`, import.meta.url));
}

function file(folder: string, name: string): Asset {
  return new Asset(memberOf(types, extname(name)), async () => {
    const bytes = await readFile(join(folder, name));
    // Source maps are not served, so references to them are removed.
    return Buffer.from(bytes.toString().replace(/\/[/*][#@] sourceMappingURL=\S+( ?\*\/)?\s*$/, ""));
  });
}
