import { parseBocRoot } from "../../cells/boc/boc.js";
import type { LiteCall, ValidatorStats, ValidatorStatsQuery } from "../../lite/lite-api.js";
import { noBytes } from "../make/prove.js";
import { readRecords } from "../make/validator-stats.js";
import { check, checkSameBlock } from "./proof-error.js";
import { stateTree } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";

export function verifyValidatorStats(request: ValidatorStatsQuery, answer: ValidatorStats): void {
  checkSameBlock(answer.id, request.id);
  const state = stateTree(request.id, parseBocRoot(answer.stateProof), parseBocRoot(answer.dataProof));
  const { count, complete } = readRecords(state, request);
  check(answer.count === count && answer.complete === complete, "wrong number of records");
}

export async function getValidatorStats(
  { lite }: Proving,
  request: ValidatorStatsQuery,
  call: LiteCall,
): Promise<ValidatorStats> {
  const answer = await lite.getValidatorStats({ ...request, proof: true }, call);
  verifyValidatorStats(request, answer);
  return request.proof ? answer : { ...answer, stateProof: noBytes() };
}
