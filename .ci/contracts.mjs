// Compiles the devnet's own contracts and writes their codes to server/devnet/contracts/compiled.ts. With --check it only says
// whether that file is up to date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getTolkCompilerVersion, runTolkCompiler } from "@ton/tolk-js";

const folder = join(dirname(import.meta.dirname), "server/devnet/contracts");
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".tolk"))
  .sort();

const entries = [];
for (const source of sources) {
  const compiled = await runTolkCompiler({
    entrypointFileName: source,
    fsReadCallback: (path) => readFileSync(join(folder, path), "utf8"),
  });
  if (compiled.status === "error") throw new Error(compiled.message);
  const name = source.replace(".tolk", "");
  const key = /^[a-z]+$/.test(name) ? name : JSON.stringify(name);
  entries.push(
    `  ${key}: {\n    hash: "${compiled.codeHashHex.toLowerCase()}",\n    boc: "${compiled.codeBoc64}",\n  },\n`,
  );
}

const file = join(folder, "compiled.ts");
const text = `// Written by .ci/contracts.mjs: the contracts beside this file, by Tolk ${await getTolkCompilerVersion()}.

/** Code of the devnet's own contracts, by the name of the source: its hash in hex, and a bag of cells in base64. */
export const compiledContracts = {
${entries.join("")}} as const;
`;
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error(
    "server/devnet/contracts/compiled.ts differs from what its sources compile to: run node .ci/contracts.mjs",
  );
  process.exitCode = 1;
}
