import { openAll } from "../../cells/merkle/proof.js";
import type { ConfigInfo, ConfigQuery } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { masterchain, wholeShard } from "../../tlb/block-id.js";
import type { ConfigParams } from "../../tlb/config-params.js";
import {
  assertKnownMasterchain,
  failure,
  findBlock,
  isMasterchain,
  loadBlock,
  loadMasterchain,
} from "./load.js";
import { openBlock, openHeader, openMcBlockExtra, openMcState } from "./open-block.js";
import { previousBlocks } from "./previous-blocks.js";
import { noBytes, prove } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { proveStateHash } from "./state-proofs.js";

const maxParams = 256;

type Show = (params: ConfigParams) => void;

export async function getConfigAll(chain: ServedChain, request: ConfigQuery): Promise<ConfigInfo> {
  return answer(chain, request, ({ config }) => openAll(config.cell));
}

export async function getConfigParams(
  chain: ServedChain,
  request: ConfigQuery & { paramList: number[] },
): Promise<ConfigInfo> {
  if (request.paramList.length > maxParams) throw failure("too long param list");
  return answer(chain, request, (params) => showParams(params, request.paramList));
}

async function answer(chain: ServedChain, request: ConfigQuery, show: Show): Promise<ConfigInfo> {
  if (!isMasterchain(request.id))
    throw failure("configuration parameters can be loaded with respect to a masterchain block only");
  return request.fromPrevKeyBlock ? fromKeyBlock(chain, request, show) : fromState(chain, request, show);
}

async function fromState(chain: ServedChain, request: ConfigQuery, show: Show): Promise<ConfigInfo> {
  const { id, root, state } = await loadMasterchain(chain, request.id);
  const config = prove(state, (shown) => {
    const extra = openMcState(shown);
    show(extra.config);
    showParams(extra.config, partsOf(request));
    if (!request.prevBlocks) return;
    previousBlocks(id, extra.history.value);
    // Verifiers look up the zero state first.
    extra.history.value.prevBlocks.get(0);
  });
  return { id, stateProof: request.proof ? proveStateHash(root).boc : noBytes(), configProof: config.boc };
}

/** The key block is the proof, so there is no state proof. */
async function fromKeyBlock(chain: ServedChain, request: ConfigQuery, show: Show): Promise<ConfigInfo> {
  await assertKnownMasterchain(chain, request.id, "requested");
  const id = await keyBlockBefore(chain, request.id);
  const { root } = await loadBlock(chain, id);
  const config = prove(root, (shown) => {
    const block = openBlock(shown);
    openHeader(block);
    const params = openMcBlockExtra(block).config;
    if (!params) throw failure("cannot unpack extra header of key block to extract configuration");
    show(params);
    showParams(params, partsOf(request));
  });
  return { id, stateProof: noBytes(), configProof: config.boc };
}

function keyBlockBefore(chain: ServedChain, { seqno }: BlockIdExt): Promise<BlockIdExt> {
  return findBlock(chain, masterchain, wholeShard, { seqno: chain.keyBlockAtOrBefore(seqno) });
}

/** Parameters selected by options; the other parts of the state are always in the proof. */
function partsOf(request: ConfigQuery): number[] {
  return [
    ...(request.validatorSet ? [34, 35] : []),
    ...(request.specialContracts ? [31] : []),
    ...(request.workchains ? [12] : []),
    ...(request.capabilities || request.prevBlocks ? [8] : []),
  ];
}

/** Opens each parameter; for a missing one the proof shows its absence. */
function showParams({ config }: ConfigParams, numbers: readonly number[]): void {
  for (const number of numbers) {
    const param = config.value.get(number);
    if (param) openAll(param);
  }
}
