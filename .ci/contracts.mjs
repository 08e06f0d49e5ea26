// Compiles the devnet's own contracts and writes their codes to server/devnet/contracts/compiled.ts, and their ABIs to abis.ts
// beside it. With --check it only says whether these files are up to date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getTolkCompilerVersion, runTolkCompiler } from "@ton/tolk-js";
import { tolkAbi } from "./tolk-abi.mjs";

const folder = join(dirname(import.meta.dirname), "server/devnet/contracts");
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".tolk"))
  .sort();

const read = (path) => readFileSync(join(folder, path), "utf8");
const compiler = await getTolkCompilerVersion();
const entries = [];
const abis = [];
for (const source of sources) {
  const compiled = await runTolkCompiler({
    entrypointFileName: source,
    fsReadCallback: read,
  });
  if (compiled.status === "error") throw new Error(compiled.message);
  const name = source.replace(".tolk", "");
  const key = /^[a-z]+$/.test(name) ? name : JSON.stringify(name);
  entries.push(
    `  ${key}: {\n    hash: "${compiled.codeHashHex.toLowerCase()}",\n    boc: "${compiled.codeBoc64}",\n  },\n`,
  );
  const declared = compiled.fiftCode.matchAll(/(\d+) DECLMETHOD (\w+)\(/g);
  const methodIds = new Map([...declared].map(([, id, method]) => [method, Number(id)]));
  const contract = name.replace(/(^|-)(.)/g, (_, __, letter) => letter.toUpperCase());
  const abi = JSON.stringify(tolkAbi(source, read, { contract, compiler, methodIds }));
  abis.push(`  ${key}:\n    '${abi.replaceAll("\\", "\\\\").replaceAll("'", "\\u0027")}',\n`);
}

const compiledText = `// Written by .ci/contracts.mjs: the contracts beside this file, by Tolk ${compiler}.

/** Code of the devnet's own contracts, by the name of the source: its hash in hex, and a bag of cells in base64. */
export const compiledContracts = {
${entries.join("")}} as const;
`;
const abisText = `// Written by .ci/contracts.mjs: what the contracts beside this file declare.

/** ABIs of the devnet's own contracts as JSON, in the form of Tolk's compiler 1.4, by the name of the source. */
export const contractAbis: Readonly<Record<string, string>> = {
${abis.join("")}};
`;
for (const [name, text] of [
  ["compiled.ts", compiledText],
  ["abis.ts", abisText],
]) {
  const file = join(folder, name);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(
      `server/devnet/contracts/${name} differs from what its sources compile to: run node .ci/contracts.mjs`,
    );
    process.exitCode = 1;
  }
}
