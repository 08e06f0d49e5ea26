import type { Exchange } from "../../../../../shared/ton/lite/exchange.js";
import type { LookupBlockResult } from "../../../../../shared/ton/lite/lite-api.js";
import { presentHeader } from "../../../../../shared/ton/present/block.js";
import { readShards } from "../../../../../shared/ton/proofs/read/shards.js";
import { getAllShardsInfo } from "../../../../../shared/ton/proofs/verify/shards.js";
import {
  type BlockIdExt,
  formatShard,
  masterchain,
  sameBlock,
  wholeShard,
} from "../../../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../../../shared/values/bytes.js";
import { hexShard } from "../../parts/block-id.js";
import { answerIn } from "../links.js";
import type { Chain } from "../session.js";
import { type Asking, bytesOf, type Proven, type Step } from "./proven.js";

type Place = { readonly workchain: number; readonly shard: string; readonly seqno: number };

export async function proveBlock(
  { workchain, shard, seqno }: Place,
  { reads }: Chain,
  { call, exchanges }: Asking,
): Promise<Proven> {
  const isMaster = workchain === masterchain;
  const id = { workchain, shard: BigInt(`0x${hexShard(shard)}`), seqno };
  const found = isMaster
    ? await reads.blockAt(seqno, call)
    : (await reads.lite.lookupBlock({ id, bySeqno: true }, call)).id;
  const header = presentHeader(await reads.header(found, call));
  const { root_hash, file_hash } = header.id;
  const plain = Object.entries(header).filter(([, value]) => typeof value !== "object");
  return {
    values: {
      ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])),
      root_hash,
      file_hash,
      seqno: String(seqno),
    },
    steps: [
      {
        title: "Header of the block",
        text: "The header is a part of the block: with the rest of it replaced by hashes it has the root hash of the block.",
        bytes: bytesOf(exchanges, "getBlockHeader"),
      },
      ...(isMaster ? [masterchainStep(found)] : shardSteps(found, exchanges)),
    ],
  };
}

/** The newest blocks of the shards that a masterchain block registers. */
export async function proveShards(
  seqno: number,
  { reads }: Chain,
  { call, exchanges }: Asking,
): Promise<Proven> {
  const block = await reads.blockAt(seqno, call);
  const shards = await readShards(reads.liteOf({ getAllShardsInfo }), block, call);
  return {
    values: {
      count: String(shards.length),
      ...Object.fromEntries(shards.map((shard) => [shardName(shard), shardValue(shard)])),
    },
    steps: [
      {
        title: "List of shards",
        text: "The list is a part of the masterchain block or of the state after it, and has the hash that is named there.",
        bytes: bytesOf(exchanges, "getAllShardsInfo"),
      },
      masterchainStep(block),
    ],
  };
}

const shardName = ({ workchain, shard }: BlockIdExt) => `shard ${workchain}:${formatShard(shard)}`;
const shardValue = ({ seqno, rootHash }: BlockIdExt) => `${seqno} ${bytesToHex(rootHash)}`;

export function masterchainStep(block: BlockIdExt): Step {
  return {
    title: "Block of the masterchain",
    text: "It is the newest proven block, or one that the state after a later proven block lists with its hashes.",
    block,
  };
}

/** A shard block that was looked up: the masterchain block that registered it is in the answer. */
export function shardSteps(block: BlockIdExt, exchanges: readonly Exchange[]): Step[] {
  const lookups = exchanges.filter(({ method }) => method === "lookupBlockWithProof");
  const answers = lookups.map((each) => ({ each, answer: answerIn<LookupBlockResult>(each) }));
  const found = answers.find(({ answer }) => sameBlock(answer.id, block));
  if (block.workchain === masterchain && block.shard === wholeShard) return [masterchainStep(block)];
  return [
    {
      title: "Block of the shard",
      text: "The masterchain block below registers it, or a later block of the same shard that leads back to it by hashes.",
      block,
      bytes: found?.each.answer.length,
    },
    ...(found ? [masterchainStep(found.answer.mcBlockId)] : []),
  ];
}
