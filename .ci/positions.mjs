// Adds new methods, and new parameters at the end of existing ones, to the order of parameters that callers rely on. An order that
// has changed otherwise breaks callers: it is refused. Needs a build.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiled } from "./compiled.mjs";
import { top } from "./readmes.mjs";

const { createDocuments } = await compiled("server/http/documents/documents.js");
const { registry } = await compiled("shared/methods/registry.js");
const path = join(top, "test/shared/methods/positions.json");

const contract = JSON.parse(readFileSync(path, "utf8"));
const { methods } = createDocuments(registry, { network: "devnet", version: "0" }).openRpc;
const orders = methods
  .filter(({ deprecated }) => !deprecated)
  .map(({ name, params }) => [name, params.map((param) => param.name)]);
const changed = [
  ...Object.keys(contract).filter((name) => !orders.some(([other]) => other === name)),
  ...orders
    .filter(([name, order]) => contract[name]?.some((param, at) => order[at] !== param))
    .map(([name]) => name),
];

if (changed.length > 0) {
  console.error(`methods whose parameters callers would no longer find by position: ${changed.join(", ")}`);
  process.exit(1);
}
writeFileSync(path, `${JSON.stringify(Object.fromEntries(orders), null, 2)}\n`);
