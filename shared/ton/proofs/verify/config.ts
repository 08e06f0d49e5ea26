import { parseBocRoot } from "../../cells/boc/boc.js";
import type { ConfigInfo, ConfigQuery, LiteCall } from "../../lite/lite-api.js";
import { type BlockIdExt, formatBlockId, masterchain, wholeShard } from "../../tlb/block-id.js";
import type { ConfigParams } from "../../tlb/config-params.js";
import { previousBlocks } from "../make/previous-blocks.js";
import { noBytes } from "../make/prove.js";
import { getBlockHeader } from "./headers.js";
import { check, checkSameBlock } from "./proof-error.js";
import { checkShown, masterchainExtra, provenHeaderBoc, stateTree } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";
import { masterchainPart } from "./shards.js";

/** Without a list, all parameters. */
type ParamsQuery = ConfigQuery & { paramList?: number[] };

/** Verifies a configuration against the state of the block, or against the key block `answer.id`. */
export function verifyConfig(request: ParamsQuery, answer: ConfigInfo): void {
  if (request.fromPrevKeyBlock) {
    checkParams(keyBlockConfig(answer.id, answer.configProof), request);
    return;
  }
  checkSameBlock(answer.id, request.id);
  const state = stateTree(request.id, parseBocRoot(answer.stateProof), parseBocRoot(answer.configProof));
  const extra = masterchainExtra(state);
  checkParams(extra.config, request);
  // Throws if the blocks that the caller will read are not in the proof.
  if (request.prevBlocks) previousBlocks(request.id, extra.history.value);
}

/** The configuration in a key block. */
function keyBlockConfig(id: BlockIdExt, proof: Uint8Array): ConfigParams {
  const { config } = masterchainPart(provenHeaderBoc(id, proof).block);
  check(config !== undefined, `${formatBlockId(id)} is not a key block`);
  return config;
}

function checkParams({ config }: ConfigParams, request: ParamsQuery): void {
  if (!request.paramList) checkShown(config.cell, "the configuration");
  for (const number of request.paramList ?? []) checkShown(config.value.get(number), `parameter ${number}`);
}

export function getConfigAll(proving: Proving, request: ConfigQuery, call: LiteCall): Promise<ConfigInfo> {
  return ask(proving, request, call, (query) => proving.lite.getConfigAll(query, call));
}

export function getConfigParams(
  proving: Proving,
  request: ConfigQuery & { paramList: number[] },
  call: LiteCall,
): Promise<ConfigInfo> {
  return ask(proving, request, call, (query) => proving.lite.getConfigParams({ ...request, ...query }, call));
}

async function ask(
  proving: Proving,
  request: ParamsQuery,
  call: LiteCall,
  send: (query: ConfigQuery) => Promise<ConfigInfo>,
): Promise<ConfigInfo> {
  const answer = await send({ ...request, proof: true });
  verifyConfig(request, answer);
  if (request.fromPrevKeyBlock) await proveKeyBlock(proving, request.id, answer.id, call);
  return request.proof && !request.fromPrevKeyBlock ? answer : { ...answer, stateProof: noBytes() };
}

/** Proves that the key block is the last one up to `id`. */
async function proveKeyBlock(
  proving: Proving,
  id: BlockIdExt,
  keyBlock: BlockIdExt,
  call: LiteCall,
): Promise<void> {
  const { info } = provenHeaderBoc(id, (await getBlockHeader(proving, { id }, call)).headerProof);
  const seqno = info.keyBlock ? info.seqno : info.prevKeyBlockSeqno;
  check(keyBlock.seqno === seqno, `key block ${keyBlock.seqno} instead of ${seqno}`);
  check(
    keyBlock.workchain === masterchain && keyBlock.shard === wholeShard,
    "the key block is not of the masterchain",
  );
  await proving.trust.prove(proving.lite, keyBlock, call);
}
