import type { Cell } from "../../cells/cell.js";
import type { ValidatorStats, ValidatorStatsQuery } from "../../lite/lite-api.js";
import { hashNumber, walk } from "./dictionary-walk.js";
import { failure, loadMasterchain } from "./load.js";
import { openMcState } from "./open-block.js";
import { noBytes, prove } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { proveStateHash } from "./state-proofs.js";

const maxEntries = 1000;

/** The records are in `dataProof`, which is always sent. */
export async function getValidatorStats(
  chain: ServedChain,
  request: ValidatorStatsQuery,
): Promise<ValidatorStats> {
  const { id, limit } = request;
  if (limit <= 0) throw failure("requested entry count limit must be positive");
  const { root, state } = await loadMasterchain(chain, id);
  const { value, boc } = prove(state, (shown) => readRecords(shown, request));
  return {
    id,
    ...value,
    stateProof: request.proof ? proveStateHash(root).boc : noBytes(),
    dataProof: boc,
  };
}

/** Opens the requested records, at most 1000, and counts them. */
export function readRecords(
  state: Cell,
  { startAfter, limit: wanted }: ValidatorStatsQuery,
): { count: number; complete: boolean } {
  const from = startAfter && hashNumber(startAfter) + 1n;
  const limit = Math.min(wanted, maxEntries);
  const records = openMcState(state).history.value.blockCreateStats?.counters.root;
  let count = 0;
  for (const _ of records ? walk(records, 256, from) : [])
    if (++count === limit) return { count, complete: false };
  return { count, complete: true };
}
