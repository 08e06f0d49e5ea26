import type { ResultOf } from "../../methods/define.js";
import type { configMethods } from "../../methods/v2/config.js";
import { bytesToBase64 } from "../../values/bytes.js";
import { toBase64 } from "../cells/base64.js";
import type { Cell } from "../cells/cell.js";
import { presentCell } from "./records.js";

type Result<Name extends keyof typeof configMethods> = ResultOf<(typeof configMethods)[Name]>;

/** The whole configuration or one parameter; an absent parameter has empty bytes. */
export function presentConfig(cell: Cell | undefined): Result<"getConfigAll"> {
  return { "@type": "configInfo", config: presentCell(cell) };
}

export function presentLibraries(
  libraries: readonly { hash: Uint8Array; boc: Uint8Array }[],
): Result<"getLibraries"> {
  return {
    "@type": "smc.libraryResult",
    result: libraries.map(({ hash, boc }) => ({
      "@type": "smc.libraryEntry",
      hash: bytesToBase64(hash),
      // tonlib passes on the liteserver's bytes; some wrap them in a cell or omit the checksum.
      data: toBase64(boc),
    })),
  };
}
