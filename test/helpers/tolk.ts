import { runTolkCompiler } from "@ton/tolk-js";
import { parseBocRoot } from "../../server/cells/boc.js";
import type { Cell } from "../../server/cells/cell.js";
import { base64ToBytes } from "../../shared/values/bytes.js";

/** By their sources: some tests place one code at hundreds of addresses. */
const compiled = new Map<string, Promise<Cell>>();

/** The code of a contract written in Tolk. Without `onInternalMessage` it accepts every message. */
export function compile(source: string): Promise<Cell> {
  const known = compiled.get(source);
  if (known) return known;
  const whole = source.includes("onInternalMessage")
    ? source
    : `${source}\nfun onInternalMessage(in: InMessage) {}`;
  const code = compileFile("contract.tolk", () => whole);
  compiled.set(source, code);
  return code;
}

/** The code of a contract whose files `read` returns by their paths. */
export async function compileFile(path: string, read: (path: string) => string): Promise<Cell> {
  const result = await runTolkCompiler({ entrypointFileName: path, fsReadCallback: read });
  if (result.status === "error") throw new Error(result.message);
  return parseBocRoot(base64ToBytes(result.codeBoc64)!);
}
