// Third-party code that the build puts into dist/: packages bundled with the server, and files that it reads or serves
// unchanged. Their licences are collected in one document beside them.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { allowedLicences } from "./allowed-licences.mjs";

const top = dirname(import.meta.dirname);
const vendor = join(top, "dist", "server", "vendor");

const folderOf = (name) => join(top, "node_modules", name);
const readIn = (...path) => readFileSync(join(...path), "utf8").trim();

/** Two files of swagger-ui-dist; its package brings many more, and a dependency that reports its installation. */
function copySwagger() {
  const [from, to] = [folderOf("swagger-ui-dist"), join(vendor, "swagger-ui")];
  mkdirSync(to, { recursive: true });
  for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"])
    copyFileSync(join(from, name), join(to, name));
}

/** The emulator's WebAssembly, which @ton/sandbox has as base64 in a module, and its JavaScript, which is CommonJS. */
function copyEmulator() {
  const [from, to] = [join(folderOf("@ton/sandbox"), "dist", "executor"), join(vendor, "emulator")];
  mkdirSync(to, { recursive: true });
  const [, base64, ...more] = readIn(from, "emulator-emscripten.wasm.js").split("'");
  if (base64 === undefined || more.length !== 1) throw new Error("unknown build of the emulator");
  writeFileSync(join(to, "emulator.wasm"), Buffer.from(base64, "base64"));
  copyFileSync(join(from, "emulator-emscripten.js"), join(to, "emulator.cjs"));
}

/** Folders of the packages of bundled files. */
function bundledFolders({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  return [...new Set(folders)].map((folder) => resolve(folder));
}

/** The texts of a package on its licence. */
function textsIn(folder) {
  const names = readdirSync(folder).filter((name) =>
    /^(licen[cs]e|notice|copying)|\.license\.txt$/i.test(name),
  );
  return names.sort().map((name) => readIn(folder, name));
}

function described(folder) {
  const { name, version, license, author, repository } = JSON.parse(readIn(folder, "package.json"));
  if (!allowedLicences.has(license))
    throw new Error(`${name}@${version}: licence ${license} is not on the list`);
  const texts = textsIn(folder);
  const source = author?.name ?? author ?? repository?.url ?? repository;
  const own = texts.length > 0 ? texts : [`${license}, by ${source}`];
  return [`${name} ${version} (${license})`, own.join("\n\n")];
}

/** Copies the files, and writes the document. `metafile` is what esbuild says of the bundles. */
export function addThirdParty(metafile) {
  copySwagger();
  copyEmulator();
  const vendored = ["swagger-ui-dist", "@ton/sandbox"].map(folderOf);
  // Some occur several times, in the same version.
  const parts = new Map([...bundledFolders(metafile), ...vendored].map(described));
  const licences = join(import.meta.dirname, "licences");
  const emulator = [readIn(licences, "emulator.txt"), readIn(licences, "LGPL-2.1.txt")].join("\n\n");
  const all = [
    ...[...parts].sort(([a], [b]) => (a < b ? -1 : 1)),
    ["The emulator of TON in @ton/sandbox (LGPL-2.0-or-later)", emulator],
  ];
  const rule = "=".repeat(80);
  const document = [
    "What others have written and this package contains:",
    all.map(([title]) => `- ${title}`).join("\n"),
    ...all.map(([title, text]) => `${rule}\n${title}\n${rule}\n\n${text}`),
  ];
  writeFileSync(join(top, "dist", "server", "third-party.txt"), `${document.join("\n\n")}\n`);
}
