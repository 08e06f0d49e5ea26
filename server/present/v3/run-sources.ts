import type { DebugRunRecord } from "../../../shared/schema/v3/debug.js";
import { changedPaths } from "../../../shared/ton/abi/changed-paths.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { presentMap } from "../../../shared/ton/present/v3/debug-code.js";
import type { ExecutedRun } from "../../../shared/ton/present/v3/executed-run.js";
import { type GasTrees, presentGasParts } from "../../../shared/ton/present/v3/read-run.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { CodeSources, OtherCode } from "../../artifacts/source-maps.js";
import type { ChosenAbi } from "../../artifacts/store.js";
import type { RunInWords } from "./run-words.js";

/** A run with what its sources and ABIs tell: where its gas went, and what changed in its data. */
export function withSources(
  record: RunInWords,
  { executed, sources, trees }: { executed: ExecutedRun; sources: CodeSources; trees: GasTrees },
): DebugRunRecord {
  const { code, gas, storage } = record;
  const map = presentMap(sources);
  return {
    ...record,
    code: code && {
      ...code,
      ...(map && { map }),
      ...(sources.mapError !== undefined && { map_error: sources.mapError }),
      ...(sources.others.length > 0 && { executed: sources.others.map(presentOther) }),
    },
    gas: gas && {
      ...gas,
      ...presentGasParts(
        trees,
        [sources, ...sources.others].some((each) => each.map),
      ),
    },
    storage: { ...storage, ...changesOf(executed.data, executed.dataAfter, sources.abis) },
  };
}

function presentOther(other: OtherCode) {
  const map = presentMap(other);
  return { hash: bytesToBase64(other.root.hash()), ...(map && { map }) };
}

/** What changed in the data, by the first ABI that fits before and after. */
function changesOf(before: Cell | undefined, after: Cell | undefined, abis: readonly ChosenAbi[]) {
  if (!before || !after) return {};
  for (const { coder } of abis) {
    const [first, last] = [before, after].map((cell) => coder.readStorage(cell));
    if (first !== undefined && last !== undefined) return { changes: changedPaths(first, last) };
  }
  return {};
}
