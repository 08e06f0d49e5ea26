// The import rules of ARCHITECTURE.md: which folder may know which, no cycles between files, no rings of
// folders that lie side by side, nothing of Node
// in what a browser loads. Reads import statements only, so it needs no compiler.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const top = dirname(import.meta.dirname);

/** Imports allowed to every sub-room of server/chain: the loose files of server/chain, and the rooms below it. */
const belowChain = [
  "shared/",
  "shared/ton/",
  "server/observe/",
  "server/os/",
  "server/errors.ts",
  "server/chain/*",
];

/** Imports allowed to proofs of the chain: values, and the rooms of TON below them. */
const belowProofs = [
  "shared/values/",
  "shared/ton/cells/",
  "shared/ton/tlb/",
  "shared/ton/tvm/",
  "shared/ton/lite/",
  "shared/ton/tl/",
];

/**
 * Room (longest prefix wins) -> prefixes it may import in addition to itself. Runtime and type imports alike. A prefix
 * that ends with "*" covers the files of a folder, but not its sub-folders.
 */
const allowed = {
  "shared/": [],
  // True of TON wherever it runs; the lowest rooms come first.
  "shared/ton/cells/": ["shared/values/"],
  "shared/ton/tlb/": ["shared/values/", "shared/ton/cells/"],
  "shared/ton/tvm/": ["shared/values/", "shared/ton/cells/"],
  "shared/ton/bodies/": ["shared/values/", "shared/ton/cells/", "shared/ton/tlb/"],
  // Values by the types of contracts' ABIs, in cells and on stacks.
  "shared/ton/abi/": [
    "shared/values/",
    "shared/ton/cells/",
    "shared/ton/tlb/",
    "shared/ton/tvm/",
    "shared/ton/bodies/",
  ],
  // What runs of the machine did, in the words of their sources.
  "shared/ton/debug/": [
    "shared/values/",
    "shared/ton/cells/",
    "shared/ton/tlb/",
    "shared/ton/tvm/",
    "shared/ton/abi/",
  ],
  "shared/ton/lite/": ["shared/values/", "shared/ton/tlb/"],
  "shared/ton/tl/": ["shared/values/", "shared/ton/tlb/", "shared/ton/lite/"],
  // Records of TON Center's APIs, whose types follow from the registry and the schemas.
  "shared/ton/present/": ["shared/methods/", "shared/schema/", "shared/values/", "shared/ton/"],
  // How get-methods and transactions run, for any executor, and contracts that are read by them.
  "shared/ton/run/": [...belowProofs, "shared/ton/proofs/make/dictionary-walk.ts", "shared/ton/proofs/read/"],
  "shared/ton/contracts/": [
    "shared/values/",
    "shared/ton/cells/",
    "shared/ton/tlb/",
    "shared/ton/tvm/",
    "shared/ton/run/",
  ],
  "shared/ton/proofs/make/": belowProofs,
  "shared/ton/proofs/verify/": [...belowProofs, "shared/ton/proofs/make/"],
  "shared/ton/proofs/read/": [...belowProofs, "shared/ton/proofs/make/"],
  "client/": ["shared/"],
  "client/contract/": ["shared/", "shared/ton/", "client/"],
  "client/verified/": ["shared/", "shared/ton/", "client/"],
  "server/main.ts": ["server/program.ts", "server/process/"],
  "server/program.ts": ["server/cli/", "server/process/"],
  // The only room that may know every other one.
  "server/process/": ["server/", "shared/", "shared/ton/"],
  // Contracts of @ton/core are opened as the client opens them.
  "server/process/devnet-tests/": [
    "shared/",
    "shared/ton/",
    "client/",
    "server/contracts/wallet-order.ts",
    "server/devnet/wallets/",
    "server/process/workers/",
  ],
  "server/cli/": ["shared/", "server/access/", "server/config/", "server/errors.ts"],
  "server/http/": [
    "shared/",
    "server/rpc/",
    "server/web/pages/",
    "server/mcp/",
    "server/debug-adapter/",
    "server/access/",
    "server/config/",
    "server/observe/",
    "server/chain/time-slice.ts",
    "server/os/package-files.ts",
    "server/os/pause.ts",
    "server/errors.ts",
  ],
  // REST names, parameters and answers are derived from the declarations of TL.
  "server/http/documents/openapi-liteserver.ts": ["shared/", "server/http/", "shared/ton/tl/"],
  "server/http/lite/": [
    "shared/",
    "server/http/",
    "server/rpc/",
    "server/access/",
    "shared/ton/",
    "server/errors.ts",
  ],
  "server/http/streaming/": [
    "shared/",
    "server/http/",
    "server/stream/",
    "server/access/",
    "server/observe/",
    "server/errors.ts",
  ],
  "server/http/subscriptions/": [
    "shared/",
    "server/http/",
    "server/stream/",
    "server/access/",
    "server/observe/",
    "server/errors.ts",
    "server/rpc/params/params.ts",
  ],
  // Code and markup for browsers.
  "server/web/pages/": ["shared/"],
  "server/web/explorer/": ["shared/", "client/", "server/web/pages/"],
  // Proves values by the client's verifier.
  "server/web/explorer/verify/": [
    "shared/",
    "shared/ton/",
    "client/",
    "server/web/pages/",
    "server/web/explorer/",
  ],
  // Reads and writes values by the ABIs of contracts.
  "server/web/explorer/contract/": [
    "shared/",
    "shared/ton/",
    "client/",
    "server/web/pages/",
    "server/web/explorer/",
  ],
  "server/artifacts/": ["shared/", "shared/ton/", "server/os/", "server/errors.ts"],
  "server/methods/": [
    "server/observe/fallback.ts",
    "server/artifacts/",
    "shared/",
    "server/present/",
    "server/store/",
    "server/contracts/",
    "server/chain/",
    "shared/ton/",
    "server/errors.ts",
  ],
  // Here the registry's groups meet their handlers.
  "server/methods/v2-methods.ts": ["shared/", "server/methods/", "server/rpc/bind.ts"],
  "server/methods/v3-methods.ts": [
    "shared/",
    "server/methods/",
    "server/present/v3/",
    "server/rpc/bind.ts",
    "server/errors.ts",
  ],
  "server/methods/v4-methods.ts": ["shared/", "server/methods/", "server/rpc/bind.ts"],
  "server/methods/lite-methods.ts": ["shared/", "server/methods/", "server/rpc/bind.ts"],
  "server/methods/subscription-methods.ts": ["shared/", "server/rpc/bind.ts", "server/errors.ts"],
  "server/methods/devnet-methods.ts": [
    "shared/",
    "server/methods/",
    "server/present/v2/",
    "server/rpc/bind.ts",
    "server/devnet/",
    "shared/ton/",
    "server/errors.ts",
  ],
  "server/methods/devnet/": [
    "shared/",
    "server/methods/",
    "server/present/v2/",
    "server/devnet/",
    "server/contracts/",
    "server/chain/",
    "shared/ton/",
    "server/errors.ts",
  ],
  "server/indexer/": [
    "shared/",
    "server/store/",
    "server/contracts/",
    "server/chain/",
    "shared/ton/",
    "server/observe/",
    "server/os/",
    "server/errors.ts",
  ],
  // Makes wire records, the same for answers, events and reports.
  "server/present/": [
    "shared/",
    "server/artifacts/",
    "server/metadata/embedded-document.ts",
    "server/store/",
    "server/contracts/",
    "server/chain/",
    "shared/ton/",
    "server/errors.ts",
  ],
  // Pure: no database, no chain.
  "server/indexer/actions/": [
    "shared/actions/",
    "shared/values/",
    "server/store/codes.ts",
    "server/store/address-bytes.ts",
    "server/store/tables/",
    "shared/ton/",
    "server/contracts/dedust-asset.ts",
    "server/contracts/message-text.ts",
    "server/contracts/sale-init.ts",
    "server/contracts/tg-wallet-request.ts",
    "server/indexer/hash-key.ts",
  ],
  // Shows the state of the index to the people who maintain it, in the wire form of v3.
  "server/inspect/": ["shared/", "server/indexer/", "server/present/", "server/store/", "server/errors.ts"],
  // Presents what it tells as the methods of v3 do.
  "server/stream/": [
    "shared/",
    "server/present/",
    "server/store/",
    "server/observe/fallback.ts",
    "server/os/",
    "server/errors.ts",
  ],
  "server/stream/webhooks/": [
    "shared/",
    "server/stream/",
    "server/present/",
    "server/store/",
    "server/metadata/",
    "server/os/",
    "server/errors.ts",
  ],
  "server/metadata/": ["shared/", "server/store/", "server/os/", "server/errors.ts"],
  "server/devnet/": [
    "shared/",
    "server/contracts/nominator-pool.ts",
    "server/contracts/wallet-order.ts",
    "server/chain/",
    "shared/ton/",
    "server/observe/fallback.ts",
    "server/os/",
    "server/errors.ts",
  ],
  "server/contracts/": ["shared/", "server/chain/", "shared/ton/"],
  // The sub-rooms of server/chain, low to high.
  "server/chain/*": belowChain,
  "server/chain/executor/": belowChain,
  "server/chain/adnl/": belowChain,
  "server/chain/serve/": [...belowChain, "server/chain/executor/"],
  "server/chain/run/": [...belowChain, "server/chain/executor/"],
  "server/chain/retrace/": [...belowChain, "server/chain/executor/", "server/chain/run/"],
  "server/chain/liteservers/": [...belowChain, "server/chain/adnl/"],
  "server/chain/networks/": [...belowChain, "server/chain/liteservers/global-config.ts"],
  "server/chain/gateway/": [...belowChain, "server/chain/adnl/"],
  "server/chain/remote-devnet.ts": [...belowChain, "server/chain/adnl/", "server/chain/liteservers/"],
  "server/store/": ["shared/", "server/observe/fallback.ts", "server/os/", "server/errors.ts"],
  // PostgreSQL's protocol and the client pg, without the tables.
  "server/store/wire/": [
    "shared/values/",
    "server/store/*",
    "server/store/cluster/commits.ts",
    "server/store/copy/",
    "server/store/declare/values.ts",
    "server/observe/fallback.ts",
    "server/os/",
    "server/errors.ts",
  ],
  "server/store/pglite/": [
    "shared/values/",
    "server/store/*",
    "server/store/sql/schemas.ts",
    "server/store/wire/",
    "server/observe/fallback.ts",
    "server/os/",
    "server/errors.ts",
  ],
  // No query knows its driver.
  "server/store/queries/": [
    "shared/",
    "server/store/*",
    "server/store/sql/",
    "server/store/declare/",
    "server/store/tables/",
    "server/store/copy/",
    "server/errors.ts",
  ],
  "server/store/slots/": [
    "shared/values/",
    "server/store/*",
    "server/store/sql/",
    "server/store/declare/",
    "server/store/tables/all-tables.ts",
    "server/store/queries/",
    "server/observe/fallback.ts",
    "server/errors.ts",
  ],
  "server/rpc/": ["shared/", "server/observe/", "server/errors.ts"],
  // Calls services as any client does.
  "server/mcp/": ["shared/", "client/", "server/rpc/params/params.ts", "server/errors.ts"],
  // Debugs what services have recorded, by their methods; it reads files of contracts, and knows networks by their zero states.
  "server/debug-adapter/": [
    "shared/",
    "shared/ton/",
    "server/artifacts/",
    "server/chain/networks/shipped.ts",
    "server/config/settings.ts",
  ],
  "server/access/": ["shared/", "server/config/", "server/observe/", "server/os/", "server/errors.ts"],
  "server/observe/": ["shared/", "server/errors.ts"],
  "server/config/": ["shared/values/"],
  "server/os/": ["shared/values/", "server/errors.ts"],
  "server/errors.ts": ["shared/"],
};
/** Rooms that others enter by one file only. */
const doors = { "server/store/wire/": "server/store/wire/postgres.ts" };
/** Packages that one room of the server imports only. */
const homes = {
  pg: "server/store/wire/",
  "@electric-sql/pglite": "server/store/pglite/",
  "@modelcontextprotocol/server": "server/mcp/",
};
/** A cell opens as a slice, and a slice returns cells: the one pair of files that knows each other, by a type import. */
const mutual = new Set(["shared/ton/cells/slice.ts -> shared/ton/cells/cell.ts"]);
/** Folders whose sub-folders still form rings. */
const stillRings = new Set(["server/store/queries"]);
/** Code that browsers get. */
const pages = ["server/web/pages/", "server/web/explorer/"];
/** Modules of shared/ that the browser client may run: none that imports zod. */
const clientRuntime = ["shared/rpc/", "shared/text/", "shared/values/", "shared/ton/"];
/** Packages that run in browsers too, bundled with whatever uses shared/ton. */
const tonPackages = ["@noble/ed25519", "@noble/hashes/sha2.js", "lru-cache"];

function covers(prefix, path) {
  // Few rooms read cells: shared/ton/ is named by those that do.
  if (prefix === "shared/" && path.startsWith("shared/ton/")) return false;
  return prefix.endsWith("/*") ? dirname(path) === prefix.slice(0, -2) : path.startsWith(prefix);
}

function files(folder) {
  // A separate project, which imports the package by its name.
  if (folder === "client/examples/") return [];
  return readdirSync(join(top, folder)).flatMap((name) => {
    const path = `${folder}${name}`;
    if (statSync(join(top, path)).isDirectory()) return files(`${path}/`);
    return path.endsWith(".ts") ? [path] : [];
  });
}

function importsOf(path) {
  const text = readFileSync(join(top, path), "utf8");
  const found = [];
  const pattern =
    /^\s*(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  for (const match of text.matchAll(pattern)) {
    const target = match[2] ?? match[3] ?? match[4];
    found.push({ typeOnly: match[1] !== undefined, target });
  }
  return found;
}

const sources = ["shared/", "client/", "server/"].flatMap(files);
const problems = [];
const graph = new Map();

for (const path of sources) {
  const home = Object.keys(allowed)
    .filter((prefix) => covers(prefix, path))
    .sort((a, b) => b.length - a.length)[0];
  const edges = [];
  for (const { typeOnly, target } of importsOf(path)) {
    const isPage = pages.some((folder) => path.startsWith(folder));
    const browser = isPage || ["shared/", "client/"].some((folder) => path.startsWith(folder));
    if (!target.startsWith(".")) {
      for (const [name, room] of Object.entries(homes))
        if (!path.startsWith(room) && (target === name || target.startsWith(`${name}/`)))
          problems.push(`${path}: ${name} may only be imported in ${room}`);
      if (isPage) problems.push(`${path}: pages load no packages, not ${target}`);
      if (browser && target.startsWith("node:"))
        problems.push(`${path}: ${target} is not there in a browser`);
      if (path.startsWith("client/") && !typeOnly && !["ws", "@ton/core", "@ton/crypto"].includes(target))
        problems.push(`${path}: the client runs without packages, but imports ${target}`);
      const ofShared = path.startsWith("shared/ton/") ? tonPackages : ["zod"];
      const isType = typeOnly && target === "zod";
      if (path.startsWith("shared/") && !ofShared.includes(target) && !isType)
        problems.push(`${path}: this part of shared imports ${ofShared.join(", ")} only, not ${target}`);
      continue;
    }
    const to = relative(top, resolve(top, dirname(path), target)).replace(/\.js$/, ".ts");
    if (!mutual.has(`${path} -> ${to}`)) edges.push(to);
    // Browsers are sent the folder alone.
    if (path.startsWith("server/web/pages/") && !to.startsWith("server/web/pages/") && !typeOnly)
      problems.push(`${path}: ${to} may only be imported as a type`);
    for (const [room, door] of Object.entries(doors))
      if (to.startsWith(room) && !path.startsWith(room) && to !== door)
        problems.push(`${path} must not import ${to}, but ${door}`);
    const inside = /[/*]$/.test(home) && covers(home, to);
    if (!inside && !allowed[home].some((prefix) => covers(prefix, to)))
      problems.push(`${path} must not import ${to}`);
    if (
      ["client/", "server/web/explorer/", "shared/ton/"].some((folder) => path.startsWith(folder)) &&
      to.startsWith("shared/") &&
      !typeOnly &&
      !clientRuntime.some((p) => to.startsWith(p))
    )
      problems.push(`${path}: ${to} may only be imported as a type`);
  }
  graph.set(path, edges);
}

const done = new Set();
function visit(path, trail) {
  if (trail.includes(path)) {
    problems.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" -> ")}`);
    return;
  }
  if (done.has(path)) return;
  for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
  done.add(path);
}
for (const path of graph.keys()) visit(path, []);

/** Imports between the sub-folders of each folder: parent -> sub-folder -> imported one -> files. Files beside sub-folders are not judged. */
function importsOfSiblings() {
  const parents = new Map();
  const within = (map, key, made) => map.get(key) ?? map.set(key, made).get(key);
  for (const [path, targets] of graph)
    for (const target of targets) {
      const [from, to] = [path.split("/"), target.split("/")];
      const depth = from.findIndex((part, index) => part !== to[index]);
      if (depth < 1 || depth >= from.length - 1 || depth >= to.length - 1) continue;
      const siblings = within(parents, from.slice(0, depth).join("/"), new Map());
      within(within(siblings, from[depth], new Map()), to[depth], []).push(`${path} -> ${target}`);
    }
  return parents;
}

/** The folders that are imported by a folder, directly or by others. */
function reachedFrom(siblings, folder, reached = new Set()) {
  for (const next of siblings.get(folder)?.keys() ?? [])
    if (!reached.has(next)) reachedFrom(siblings, next, reached.add(next));
  return reached;
}

for (const [parent, siblings] of importsOfSiblings()) {
  const reached = new Map([...siblings.keys()].map((folder) => [folder, reachedFrom(siblings, folder)]));
  const ringOf = (folder) =>
    [...siblings.keys()].filter((other) => reached.get(folder).has(other) && reached.get(other).has(folder));
  const rings = new Map(
    [...siblings.keys()]
      .map(ringOf)
      .filter(({ length }) => length > 0)
      .map((ring) => [ring.join(", "), ring]),
  );
  if (stillRings.has(parent)) {
    if (rings.size === 0) problems.push(`${parent} has no ring any more: take it out of stillRings`);
    continue;
  }
  for (const [names, ring] of rings) {
    const arrows = ring.flatMap((from) =>
      ring.flatMap((to) => (from === to ? [] : [siblings.get(from).get(to) ?? []])),
    );
    const [thinnest] = arrows.filter(({ length }) => length > 0).sort((a, b) => a.length - b.length);
    problems.push(`${parent}: ${names} form a ring, which is thinnest at ${thinnest.join(", ")}`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
