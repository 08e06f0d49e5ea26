// The two packages that are published from this tree: `tonwire`, the client, which a front end installs without the service, and
// `tonwire-server`, the service with its command. Both keep the layout of the tree.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { transformSync } from "esbuild";
import { readmePaths, top } from "./readmes.mjs";

/** Files that only a checkout needs: source maps, and the picture of a README. */
const unpacked = /\.map$|^explorer\.png$/;

const project = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const { version, keywords, license, type, engines, sideEffects, exports, dependencies } = project;
const common = { version, keywords, license, type, engines, sideEffects };
const documents = [...readmePaths(), "CHANGELOG.md", "LICENSE"];
const ownRooms = "./dist/client/";

/** Targets of an entry, by condition: a nested object of paths. */
const mapTargets = (entry, change) =>
  typeof entry === "string"
    ? change(entry)
    : Object.fromEntries(Object.entries(entry).map(([name, each]) => [name, mapTargets(each, change)]));

function targetsOf(entry) {
  const targets = [];
  mapTargets(entry, (target) => targets.push(target));
  return targets;
}

const isOfClient = ([, entry]) => targetsOf(entry).every((target) => target.startsWith(ownRooms));
const isManifest = ([name]) => name === "./package.json";
const entries = Object.entries(exports).filter((entry) => !isManifest(entry));
const clientEntries = entries.filter(isOfClient);
const serverEntries = entries.filter((entry) => !isOfClient(entry));

/** An entry of the service that is also found under the client's name, by which programs import it. */
function forwarded([name, entry]) {
  const target = name.replace(/^\./, "tonwire-server");
  const files = new Map();
  const place = (path) => {
    const ending = /(\.d)?\.c?[jt]s$/.exec(path)[0];
    const own = `dist/forward/${name.slice(2)}${ending}`;
    const isCommonJs = ending === ".cjs";
    files.set(own, isCommonJs ? `module.exports = require("${target}");\n` : `export * from "${target}";\n`);
    return `./${own}`;
  };
  return { name, entry: mapTargets(entry, place), files };
}

const forwards = serverEntries.map(forwarded);

/** Types by file, for compilers that do not read `exports`. */
function typesVersions(all) {
  const typesOf = (entry) => entry.require?.types ?? entry.types;
  const pairs = all
    .filter(([name]) => name !== ".")
    .map(([name, entry]) => [name.slice(2), [typesOf(entry)]]);
  return { "*": Object.fromEntries(pairs) };
}

/** Packages of TON that some entries of the client import. */
const tonPeers = Object.fromEntries(
  Object.entries(project.peerDependencies).filter(([name]) => name.startsWith("@ton/")),
);
const manifest = { "./package.json": "./package.json" };
const clientExports = [...clientEntries, ...forwards.map(({ name, entry }) => [name, entry])];

export const packages = {
  tonwire: {
    manifest: {
      name: "tonwire",
      description: "Client of TON's HTTP API and of tonwire, for browsers and Node",
      ...common,
      main: project.main,
      types: project.types,
      typesVersions: typesVersions(clientExports),
      exports: { ...Object.fromEntries(clientExports), ...manifest },
      dependencies: { ws: dependencies.ws },
      peerDependencies: { ...tonPeers, "tonwire-server": version },
      peerDependenciesMeta: Object.fromEntries(
        [...Object.keys(tonPeers), "tonwire-server"].map((name) => [name, { optional: true }]),
      ),
    },
    files: () => [...reached(clientEntries.flatMap(([, entry]) => targetsOf(entry))), ...examples()],
    texts: new Map(forwards.flatMap(({ files }) => [...files])),
  },
  "tonwire-server": {
    manifest: {
      name: "tonwire-server",
      description: project.description,
      ...common,
      // The second name is for `npx tonwire-server`.
      bin: { ...project.bin, "tonwire-server": project.bin.tonwire },
      typesVersions: typesVersions(serverEntries),
      exports: { ...Object.fromEntries(serverEntries), ...manifest },
      // The rest is in its bundles.
      dependencies: { ...dependencies, ws: undefined },
      peerDependencies: {
        "@ton/core": project.peerDependencies["@ton/core"],
        ioredis: project.peerDependencies.ioredis,
      },
      peerDependenciesMeta: { "@ton/core": { optional: true }, ioredis: { optional: true } },
    },
    files: () => [
      ...reached(serverEntries.flatMap(([, entry]) => targetsOf(entry))),
      ...ofService(),
      // The service shows their README under /docs.
      ...examples(),
    ],
    texts: new Map(extensionFiles()),
  },
};

/** The extension for an editor, at a path that its users choose by hand. */
function extensionFiles() {
  const folder = "server/debug-adapter/vscode";
  return listed(folder).map((path) => [
    path.replace(folder, "vscode"),
    readFileSync(join(top, path), "utf8"),
  ]);
}

/** Projects to copy, without built or installed files. npm leaves out lock files of its packages as well. */
const examples = () =>
  listed("client/examples").filter(
    (path) => !/\/(node_modules|dist|target|venv|__pycache__)\/|\/Cargo\.lock$/.test(path),
  );

/** Files of the service: those it reads, scripts of its pages, and bundles of its processes and threads. */
function ofService() {
  const isCode = (path) => /\.[cm]?[jt]s$/.test(path);
  const isLoaded = (path) =>
    /^dist\/server\/(main|.*-worker|(bundle|vendor|web\/pages|web\/explorer)\/.*)\.c?js$/.test(path);
  return listed("dist/server").filter((path) => !isCode(path) || isLoaded(path));
}

/** Compiled files of a folder, without source maps. */
function listed(folder) {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !unpacked.test(each.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(top.length + 1));
}

/** Declarations of both forms are packed once: the ES form refers to the CommonJS form, as it cannot the other way round. */
function otherForm(path) {
  const isTwice = path.endsWith(".d.ts") && existsSync(join(top, path.replace(/ts$/, "cts")));
  return isTwice ? `export * from "./${basename(path, ".d.ts")}.cjs";\n` : undefined;
}

/** Modules of the client that are no bundles: packed without white space, as these are, but with all their names. */
const isModule = (path) =>
  /^dist\/(client|shared)\/.*\.js$/.test(path) && !path.startsWith("dist/client/verified/");
const packedCode = { minifyWhitespace: true, lineLimit: 160, format: "esm", target: "es2022" };

/** Text of a compiled file as it is packed: without its source map, and types of texts without schemas, which need zod. */
function packedText(path) {
  const reference = otherForm(path);
  if (reference) return reference;
  const text = readFileSync(join(top, path), "utf8").replace(/\n\/[/*][#@] sourceMappingURL=.*\s*$/, "\n");
  if (isModule(path)) return transformSync(text, packedCode).code;
  return /\.d\.c?ts$/.test(path) ? withTabs(withAnswerTypes(path, text)) : text;
}

/** Indents declarations by tabs: the compiler indents by four blanks. */
const withTabs = (text) => text.replace(/^(?: {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4));

function withAnswerTypes(path, text) {
  if (!/^dist\/(client|shared)\/text\/.*\.d\.c?ts$/.test(path)) return text;
  const types = relative(dirname(path), "dist/client/text/answer-types").replace(/^(?!\.)/, "./");
  return text.replace(/"(?:\.\.\/)+(?:shared\/)?schema\/v3\/[a-z/-]+\.(c?js)"/g, `"${types}.$1"`);
}

/** Files that entries import, and what these import: code and declarations. */
function reached(targets) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, target] of packedText(path).matchAll(/(?:from|import|require\()\s*\(?"(\.{1,2}\/[^"]+)"/g))
      visit(join(dirname(path), target).replace(/(\.c?)js$/, path.includes(".d.") ? ".d$1ts" : "$1js"));
  };
  for (const target of targets) visit(join(target));
  return [...found];
}

/** Puts the content of a package into an empty folder. */
export function stage(name, folder) {
  const { manifest: content, files, texts } = packages[name];
  if (!existsSync(join(top, "dist"))) throw new Error("there is nothing to pack: run npm run build first");
  for (const path of [...files(), ...documents]) copy(path, folder);
  for (const [path, text] of texts) write(join(folder, path), text);
  write(
    join(folder, "package.json"),
    `${JSON.stringify({ ...content, publishConfig: { access: "public" } }, null, 2)}\n`,
  );
}

function copy(path, folder) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  const isText = /\.[cm]?[jt]s$|\.css$/.test(path);
  if (isText) writeFileSync(target, packedText(path));
  else cpSync(join(top, path), target);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Packs a package that is staged in `folder`; returns the path of the file and what is in it. */
export function pack(folder, destination) {
  const printed = execFileSync(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", destination],
    {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [{ filename, files, size, unpackedSize }] = JSON.parse(printed);
  return { tarball: join(destination, filename), paths: files.map(({ path }) => path), size, unpackedSize };
}
