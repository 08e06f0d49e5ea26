import type { Exchange } from "../../../../shared/ton/lite/exchange.js";
import type { BlockLinkForward, PartialBlockProof } from "../../../../shared/ton/lite/lite-api.js";
import { type KnownSigners, readSigners } from "../../../../shared/ton/proofs/verify/trust/block-proof.js";
import { wire } from "../../../../shared/ton/tl/codecs.js";
import { decodeAnswer, queryFrom } from "../../../../shared/ton/tl/lite-functions.js";
import { type BlockIdExt, formatBlockIdExt, sameBlock } from "../../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { RecentMap } from "../../../../shared/values/recent-map.js";

/** A proven step to a later block of the masterchain, which the validators of a key block have signed. */
export type Link = {
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly isKeyBlock: boolean;
  readonly signatures: number;
  /** Weight of the validators that signed, and of all. */
  readonly weight: bigint;
  readonly totalWeight: bigint;
  /** Length of its proof. */
  readonly bytes: number;
};

const newestKept = 64;
/** A year has some 500 key blocks with other validators. */
const keyBlocksKept = 2000;

/** The answer in an exchange, decoded. */
export function answerIn<Answer>({ query, answer }: Exchange): Answer {
  return decodeAnswer(queryFrom(wire.decode(query)), answer) as Answer;
}

/** The links that this page has proven, by the block that each leads to. */
export class Links {
  readonly #newest = new RecentMap<string, Link>(newestKept);
  readonly #keyBlocks = new RecentMap<string, Link>(keyBlocksKept);
  #signers: KnownSigners | undefined;

  /** Takes the links of proofs that were found to be right. */
  add(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      if (exchange.method !== "getBlockProof") continue;
      for (const step of answerIn<PartialBlockProof>(exchange).steps)
        if (step.type === "forward") this.#take(step);
    }
  }

  #take({ from, to, toKeyBlock, configProof, destProof, signatures: set }: BlockLinkForward): void {
    if (!this.#signers || !sameBlock(this.#signers.id, from)) this.#signers = readSigners(from, configProof);
    const catchain = set.type === "ordinary" ? set.catchainSeqno : set.ccSeqno;
    const { members, totalWeight } = this.#signers.validators.group(catchain);
    const weight = set.signatures.reduce(
      (sum, { nodeIdShort }) => sum + (members.get(bytesToHex(nodeIdShort))?.weight ?? 0n),
      0n,
    );
    const link: Link = {
      from,
      to,
      isKeyBlock: toKeyBlock,
      signatures: set.signatures.length,
      weight,
      totalWeight,
      bytes:
        configProof.length +
        destProof.length +
        set.signatures.reduce((sum, { signature }) => sum + 32 + signature.length, 0),
    };
    (toKeyBlock ? this.#keyBlocks : this.#newest).set(formatBlockIdExt(to), link);
  }

  /** The links back from a block, as far as this page has proven them: the newest first. */
  backFrom(block: BlockIdExt): Link[] {
    const found: Link[] = [];
    let at = block;
    for (;;) {
      const key = formatBlockIdExt(at);
      const link = this.#newest.get(key) ?? this.#keyBlocks.get(key);
      if (!link || link.from.seqno >= at.seqno) return found;
      found.push(link);
      at = link.from;
    }
  }
}
