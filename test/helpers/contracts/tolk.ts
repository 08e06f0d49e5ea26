import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runTolkCompiler } from "@ton/tolk-js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";

const { version } = createRequire(import.meta.url)("@ton/tolk-js/package.json") as { version: string };
/** The compiler takes a fifth of a second for each of hundreds of sources, so later runs read what earlier ones compiled. */
const keptCodes = join(import.meta.dirname, "../../node_modules/.cache/tonwire-tolk");

/** By their sources: some tests place one code at hundreds of addresses. */
const compiled = new Map<string, Promise<Cell>>();

/** The code of a contract written in Tolk. Without `onInternalMessage` it accepts every message. */
export function compile(source: string): Promise<Cell> {
  const known = compiled.get(source);
  if (known) return known;
  const whole = source.includes("onInternalMessage")
    ? source
    : `${source}\nfun onInternalMessage(in: InMessage) {}`;
  const code = keptCode(whole);
  compiled.set(source, code);
  return code;
}

async function keptCode(source: string): Promise<Cell> {
  const file = join(keptCodes, createHash("sha256").update(`${version}\n${source}`).digest("hex"));
  if (!existsSync(file)) keep(file, await compileToBoc(source));
  return parseBocRoot(readFileSync(file));
}

/** Other workers read the file whole or not at all. */
function keep(file: string, boc: Uint8Array): void {
  const unfinished = `${file}.${randomUUID()}`;
  mkdirSync(keptCodes, { recursive: true });
  writeFileSync(unfinished, boc);
  renameSync(unfinished, file);
}

async function compileToBoc(source: string): Promise<Uint8Array> {
  const result = await runTolkCompiler({
    entrypointFileName: "contract.tolk",
    fsReadCallback: () => source,
  });
  if (result.status === "error") throw new Error(result.message);
  return base64ToBytes(result.codeBoc64)!;
}
