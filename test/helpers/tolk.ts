import { runTolkCompiler } from "@ton/tolk-js";
import { parseBocRoot } from "../../server/cells/boc.js";
import type { Cell } from "../../server/cells/cell.js";
import { base64ToBytes } from "../../shared/values/bytes.js";

/** The code of a contract written in Tolk. Without `onInternalMessage` it accepts every message. */
export async function compile(source: string): Promise<Cell> {
  const whole = source.includes("onInternalMessage")
    ? source
    : `${source}\nfun onInternalMessage(in: InMessage) {}`;
  return compileFile("contract.tolk", () => whole);
}

/** The code of a contract whose files `read` returns by their paths. */
export async function compileFile(path: string, read: (path: string) => string): Promise<Cell> {
  const compiled = await runTolkCompiler({ entrypointFileName: path, fsReadCallback: read });
  if (compiled.status === "error") throw new Error(compiled.message);
  return parseBocRoot(base64ToBytes(compiled.codeBoc64)!);
}
