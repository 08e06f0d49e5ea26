import type { LiteApi, LiteCall } from "../../shared/ton/lite/lite-api.js";
import { ProofError, proofError } from "../../shared/ton/proofs/verify/proof-error.js";
import { verifyBlockProof } from "../../shared/ton/proofs/verify/trust/block-proof.js";
import { TrustChain } from "../../shared/ton/proofs/verify/trust/trust-chain.js";
import { type BlockIdExt, masterchain, wholeShard, zeroStateBlock } from "../../shared/ton/tlb/block-id.js";
import { RpcError } from "../errors.js";
import { anchors } from "./anchors.js";
import { hashOf } from "./inputs.js";
import {
  defaultHeadMs,
  defaultMaxHeadAgeSec,
  type ProofProgress,
  type TrustedBlock,
  type VerifiedClientOptions,
} from "./options.js";
import { ProvenReads } from "./proven-reads.js";
import { recordStore } from "./record-store.js";
import { Sources } from "./sources.js";
import { defaultStorage } from "./storage.js";

type ReadOptions = Omit<VerifiedClientOptions, "transport"> & {
  /** Whether the chain may be reverted, as a devnet. Default: without `network`. */
  readonly mayRevert?: boolean;
};

/** Opens the chain of trust, for reads at its newest block. */
export async function openReads(
  apis: readonly LiteApi[],
  options: ReadOptions,
  call: LiteCall,
): Promise<ProvenReads> {
  const { network, mayRevert = !network, onRevert, fallOver = false, onProofError } = options;
  const { headMs = defaultHeadMs, maxHeadAgeSec = mayRevert ? false : defaultMaxHeadAgeSec } = options;
  const trust = await openTrust(apis, options, call);
  const sources = new Sources(apis, {
    trust,
    fallOver,
    onProofError,
    mayRevert,
    onRevert: mayRevert ? onRevert : undefined,
  });
  return new ProvenReads({ sources, now: options.now ?? Date.now, headMs, maxHeadAgeSec });
}

/** Opens the chain of trust at the anchor of the network, or at the block that the caller trusts. */
async function openTrust(
  apis: readonly LiteApi[],
  {
    network,
    trustedBlock,
    storage = defaultStorage(),
    now = Date.now,
    ...options
  }: Omit<VerifiedClientOptions, "transport">,
  call: LiteCall,
): Promise<TrustChain> {
  if ((network === undefined) === (trustedBlock === undefined))
    throw new RpcError("invalid-params", "give either `network` or `trustedBlock`");
  if (apis.length === 0) throw new RpcError("invalid-params", "give at least one transport");
  const { onProgress, onWarning } = options;
  const start = blockOf(trustedBlock ?? anchors[network!].start);
  const zeroState = trustedBlock ? await zeroStateBehind(apis, start, call) : blockOf(anchors[network!].zero);
  return TrustChain.open({
    network: network ?? "trusted block",
    zeroState,
    start,
    store: recordStore(storage, zeroState),
    now: () => Math.floor(now() / 1000),
    log: {
      info: (facts) => void ("proven" in facts && onProgress?.(facts as ProofProgress)),
      warn: (_, text) => onWarning?.(text),
    },
  });
}

/** The zero state that a trusted block follows: stated by a service, and proven by the state of the block. */
async function zeroStateBehind(
  apis: readonly LiteApi[],
  block: BlockIdExt,
  call: LiteCall,
): Promise<BlockIdExt> {
  if (block.seqno === 0) return block;
  let failure: unknown;
  for (const lite of apis)
    try {
      const { init } = await lite.getMasterchainInfo({}, call);
      const zeroState = zeroStateBlock(init);
      const request = { knownBlock: block, targetBlock: zeroState, baseOnGiven: true };
      const answer = await lite.getBlockProof(request, call);
      await verifyBlockProof(request, answer);
      if (answer.complete) return zeroState;
      failure = new ProofError("the service does not prove the zero state behind the trusted block", {
        block,
      });
    } catch (error) {
      failure = proofError("getBlockProof", error, { block });
    }
  throw failure;
}

function blockOf({ workchain, shard, seqno, root_hash: root, file_hash: file }: TrustedBlock): BlockIdExt {
  // The zero state in an answer of `getMasterchainInfo` has the shard 0.
  const isWhole = BigInt.asUintN(64, BigInt(shard)) === wholeShard || (seqno === 0 && BigInt(shard) === 0n);
  if (workchain !== masterchain || !isWhole)
    throw new RpcError("invalid-params", "the trusted block is not one of the masterchain");
  return { workchain, shard: wholeShard, seqno, rootHash: hashOf(root), fileHash: hashOf(file) };
}
