import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { createMerkleProof, openMerkleProof } from "../../../shared/ton/cells/merkle/proof.js";
import type { BlockLinkForward, PartialBlockProof } from "../../../shared/ton/lite/lite-api.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { BlockProof } from "../../../shared/ton/tlb/block-proof.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { hexToBytes } from "../../../shared/values/bytes.js";
import type { ChainData } from "../test-data.js";
import { readArchive } from "./replay/archive.js";

/** The zero state of mainnet, as an id and a proof that shows all of it. */
function zeroState(data: ChainData): { id: BlockIdExt; proof: Uint8Array } {
  const entry = data.one({ kind: "shard_state", network: "mainnet", workchain: masterchain, seqno: 0 });
  const root = parseBocRoot(entry.read());
  const fileHash = hexToBytes(entry.raw["sha256"] as string)!;
  return {
    id: { workchain: masterchain, shard: wholeShard, seqno: 0, rootHash: root.hash(), fileHash },
    proof: serializeBoc(createMerkleProof(root, () => true)),
  };
}

/** Signed proofs of the packages, which the validators of the zero state signed, oldest first. */
export function linksFromZero(data: ChainData): BlockLinkForward[] {
  const { id, proof } = zeroState(data);
  return data
    .where({ kind: "archive_pack" })
    .flatMap((pack) => readArchive(pack.read()))
    .filter(({ kind }) => kind === "proof")
    .sort((a, b) => a.id.seqno - b.id.seqno)
    .map(({ data: signed }) => linkTo(id, proof, signed));
}

/** Signed proofs that follow a recorded key block, shuffled validators or not. */
export function linksFromKeyBlocks(data: ChainData): BlockLinkForward[] {
  const signed = data.where({ kind: "block_proof", workchain: masterchain });
  return signed.flatMap((entry) => {
    const from = signed.find(({ seqno }) => seqno === entry.facts["verified_from_key_block"]);
    if (!from) return [];
    const key = decode(BlockProof, parseBocRoot(from.read()));
    return [linkTo(key.proofFor, serializeBoc(key.root), entry.read())];
  });
}

function linkTo(from: BlockIdExt, configProof: Uint8Array, signed: Uint8Array): BlockLinkForward {
  const { proofFor: to, root, signatures } = decode(BlockProof, parseBocRoot(signed));
  const { validatorListHashShort, catchainSeqno, signatures: set } = signatures!.value;
  return {
    type: "forward",
    toKeyBlock: decode(Block, openMerkleProof(root)).info.value.keyBlock,
    from,
    to: plain(to),
    destProof: serializeBoc(root),
    configProof,
    signatures: {
      type: "ordinary",
      validatorSetHash: validatorListHashShort,
      catchainSeqno,
      signatures: Array.from(set.values(), ({ nodeIdShort, sign }) => {
        if (sign.kind !== "simple") throw new Error("a chained signature");
        return { nodeIdShort, signature: sign.signature };
      }),
    },
  };
}

function plain({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): BlockIdExt {
  return { workchain, shard, seqno, rootHash, fileHash };
}

/** One link as the whole answer of a server. */
export function answerOf(link: BlockLinkForward): PartialBlockProof {
  return { complete: true, from: link.from, to: link.to, steps: [link] };
}
