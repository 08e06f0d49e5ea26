import { bytesEqual } from "../../../values/bytes.js";
import { itemAt } from "../../../values/lookups.js";
import { parseBoc, parseBocRoot } from "../../cells/boc/boc.js";
import type {
  BlockOutMsgQueueSize,
  DispatchQueueInfo,
  DispatchQueueMessages,
  DispatchQueueMessagesQuery,
  LiteCall,
  OutMsgQueueSizes,
  WithProof,
} from "../../lite/lite-api.js";
import { type BlockIdExt, wholeShard } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { registeredShards, ShardHashes } from "../../tlb/shard-hashes.js";
import {
  type DispatchQueueQuery,
  extMsgQueueSizeLimit,
  queueExtra,
  readDispatchMessages,
  readDispatchQueues,
} from "../make/queues.js";
import { topBlock } from "../make/shard-hashes.js";
import { shardsIntersect } from "../make/shard-links.js";
import { sameMetadata } from "./block-transactions.js";
import { check, checkHash, checkSameBlock } from "./proof-error.js";
import { stateTreeBoc } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";
import { getAllShardsInfo } from "./shards.js";

/** An answer whose proof is optional. */
type MayHaveProof = { id: BlockIdExt; proof?: Uint8Array };

function provenState(id: BlockIdExt, answer: MayHaveProof) {
  checkSameBlock(answer.id, id);
  check(answer.proof !== undefined, "the proof is missing");
  return stateTreeBoc(id, answer.proof);
}

export function verifyQueueSize({ id }: { id: BlockIdExt }, answer: BlockOutMsgQueueSize): void {
  const size = queueExtra(provenState(id, answer))?.outQueueSize;
  check(size !== undefined && BigInt(size) === answer.size, "wrong size of the queue");
}

export function verifyDispatchQueues(request: DispatchQueueQuery, answer: DispatchQueueInfo): void {
  const { accountDispatchQueues: proven, complete } = readDispatchQueues(
    provenState(request.id, answer),
    request,
  );
  const given = answer.accountDispatchQueues;
  check(given.length === proven.length && answer.complete === complete, "wrong number of queues");
  for (const [index, { addr, size, minLt, maxLt }] of proven.entries()) {
    const queue = itemAt(given, index);
    check(
      bytesEqual(queue.addr, addr) && queue.size === size && queue.minLt === minLt && queue.maxLt === maxLt,
      `queue ${index} is wrong`,
    );
  }
}

export function verifyDispatchMessages(
  request: DispatchQueueMessagesQuery,
  answer: DispatchQueueMessages,
): void {
  const { messages, bodies, complete } = readDispatchMessages(provenState(request.id, answer), request);
  const given = answer.messages;
  check(given.length === messages.length && answer.complete === complete, "wrong number of messages");
  for (const [index, { addr, lt, hash, metadata }] of messages.entries()) {
    const message = itemAt(given, index);
    check(
      bytesEqual(message.addr, addr) &&
        message.lt === lt &&
        bytesEqual(message.hash, hash) &&
        sameMetadata(message.metadata, metadata),
      `message ${index} is wrong`,
    );
  }
  if (!request.messagesBoc) return;
  const cells = answer.messagesBoc?.length ? parseBoc(answer.messagesBoc) : [];
  check(cells.length === bodies.length, "`messages_boc` does not match the list");
  for (const [index, body] of bodies.entries())
    checkHash(itemAt(cells, index).hash(), body.hash(), `message ${index} is wrong`);
}

/** Drops the proof unless the caller requested it. */
function withProofIf<A extends MayHaveProof>({ proof: isWanted }: WithProof, answer: A): A {
  if (isWanted) return answer;
  const { proof: _, ...rest } = answer;
  return rest as A;
}

export async function getBlockOutMsgQueueSize(
  { lite }: Proving,
  request: { id: BlockIdExt } & WithProof,
  call: LiteCall,
): Promise<BlockOutMsgQueueSize> {
  const answer = await lite.getBlockOutMsgQueueSize({ ...request, proof: true }, call);
  verifyQueueSize(request, answer);
  return withProofIf(request, answer);
}

/** Composed of the proven queue size of each shard, as the liteserver function has no proof. */
export async function getOutMsgQueueSizes(
  proving: Proving,
  { wc, shard = wholeShard }: { wc?: number; shard?: bigint } = {},
  call: LiteCall,
): Promise<OutMsgQueueSizes> {
  const { last } = await proving.trust.newest(proving.lite, call);
  const { data } = await getAllShardsInfo(proving, { id: last }, call);
  const registered = Array.from(registeredShards(decode(ShardHashes, parseBocRoot(data))), topBlock);
  const blocks = [last, ...registered].filter(
    (id) => wc === undefined || (id.workchain === wc && shardsIntersect(id.shard, shard)),
  );
  const shards = blocks.map(async (id) => {
    const { size } = await getBlockOutMsgQueueSize(proving, { id }, call);
    return { id, size: Number(size) };
  });
  return { shards: await Promise.all(shards), extMsgQueueSizeLimit };
}

export async function getDispatchQueueInfo(
  { lite }: Proving,
  request: DispatchQueueQuery,
  call: LiteCall,
): Promise<DispatchQueueInfo> {
  const answer = await lite.getDispatchQueueInfo({ ...request, proof: true }, call);
  verifyDispatchQueues(request, answer);
  return withProofIf(request, answer);
}

export async function getDispatchQueueMessages(
  { lite }: Proving,
  request: DispatchQueueMessagesQuery,
  call: LiteCall,
): Promise<DispatchQueueMessages> {
  const answer = await lite.getDispatchQueueMessages({ ...request, proof: true }, call);
  verifyDispatchMessages(request, answer);
  return withProofIf(request, answer);
}
