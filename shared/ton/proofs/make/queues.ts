import { itemAt } from "../../../values/lookups.js";
import type { Cell } from "../../cells/cell.js";
import type {
  BlockOutMsgQueueSize,
  DispatchQueueInfo,
  DispatchQueueMessages,
  DispatchQueueMessagesQuery,
  OutMsgQueueSizes,
  TransactionMetadata,
  WithProof,
} from "../../lite/lite-api.js";
import { type BlockIdExt, invalidWorkchain, wholeShard } from "../../tlb/block-id.js";
import type { EnqueuedMsg, OutMsgQueueExtra } from "../../tlb/out-msg-queue.js";
import { AccountDispatchQueue } from "../../tlb/out-msg-queue.js";
import { registeredShards } from "../../tlb/shard-hashes.js";
import { hashNumber, numberHash, walk } from "./dictionary-walk.js";
import { assertBlockId, failure, loadBlockWithState, loadState } from "./load.js";
import { asAnswered } from "./message-metadata.js";
import { openMcState, openState } from "./open-block.js";
import { answerBoc } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { topBlock } from "./shard-hashes.js";
import { shardsIntersect } from "./shard-links.js";
import { readState } from "./state-proofs.js";

/** A collator takes no external messages while the queue is longer than this. */
export const extMsgQueueSizeLimit = 8000;
const maxDispatchEntries = 64;
const maxDispatchMessages = 16;

export async function getOutMsgQueueSizes(
  chain: ServedChain,
  { wc, shard }: { wc?: number; shard?: bigint } = {},
): Promise<OutMsgQueueSizes> {
  const { shardHashes } = openMcState(await loadState(chain, chain.last));
  const blocks = [chain.last, ...Array.from(registeredShards(shardHashes), topBlock)].filter(
    (id) => wc === undefined || (id.workchain === wc && shardsIntersect(id.shard, shard ?? wholeShard)),
  );
  const shards = blocks.map(async (id) => {
    const state = await loadState(chain, id);
    return { id, size: queueExtra(state)?.outQueueSize ?? countQueue(state) };
  });
  return { shards: await Promise.all(shards), extMsgQueueSizeLimit };
}

export async function getBlockOutMsgQueueSize(
  chain: ServedChain,
  { id, proof: wantProof }: { id: BlockIdExt } & WithProof,
): Promise<BlockOutMsgQueueSize> {
  assertBlockId(id);
  const block = await loadBlockWithState(chain, id);
  const { value, proof } = readState(block, wantProof, (state) => queueExtra(state)?.outQueueSize);
  if (value === undefined) throw failure("no out_msg_queue_size in shard state");
  return { id, size: BigInt(value), ...(wantProof && { proof }) };
}

export async function getDispatchQueueInfo(
  chain: ServedChain,
  request: DispatchQueueQuery,
): Promise<DispatchQueueInfo> {
  const { id, maxAccounts, proof: wantProof } = request;
  assertBlockId(id);
  if (maxAccounts <= 0) throw failure("invalid max_accounts");
  const block = await loadBlockWithState(chain, id);
  const { value, proof } = readState(block, wantProof, (state) => readDispatchQueues(state, request));
  return { id, ...value, ...(wantProof && { proof }) };
}

export type DispatchQueueQuery = { id: BlockIdExt; afterAddr?: Uint8Array; maxAccounts: number } & WithProof;

/** Lists the dispatch queues of a state, at most 64. Opens what it reads, so verifiers run it on a proof. */
export function readDispatchQueues(
  state: Cell,
  { afterAddr, maxAccounts }: DispatchQueueQuery,
): Pick<DispatchQueueInfo, "accountDispatchQueues" | "complete"> {
  const limit = Math.min(maxAccounts, maxDispatchEntries);
  const accountDispatchQueues: DispatchQueueInfo["accountDispatchQueues"] = [];
  for (const { addr, queue } of dispatchQueues(state, afterAddr && hashNumber(afterAddr) + 1n)) {
    if (accountDispatchQueues.length === limit) return { accountDispatchQueues, complete: false };
    const lts = [...queue.messages.keys()];
    accountDispatchQueues.push({
      addr,
      size: BigInt(queue.count),
      minLt: itemAt(lts, 0),
      maxLt: itemAt(lts, -1),
    });
  }
  return { accountDispatchQueues, complete: true };
}

export async function getDispatchQueueMessages(
  chain: ServedChain,
  request: DispatchQueueMessagesQuery,
): Promise<DispatchQueueMessages> {
  const { id, maxMessages, messagesBoc, proof: wantProof } = request;
  assertBlockId(id);
  if (maxMessages <= 0) throw failure("invalid max_messages");
  const block = await loadBlockWithState(chain, id);
  const { value, proof } = readState(block, wantProof, (state) => readDispatchMessages(state, request));
  return {
    id,
    messages: value.messages,
    complete: value.complete,
    ...(wantProof && { proof }),
    ...(messagesBoc && { messagesBoc: answerBoc(value.bodies.map((body) => body.physical)) }),
  };
}

/** Lists messages of the dispatch queues, at most 64, or 16 with bodies. Opens what it reads, as above. */
export function readDispatchMessages(
  state: Cell,
  { addr, afterLt, maxMessages, oneAccount, messagesBoc }: DispatchQueueMessagesQuery,
): Pick<DispatchQueueMessages, "messages" | "complete"> & { bodies: Cell[] } {
  const limit = Math.min(maxMessages, messagesBoc ? maxDispatchMessages : maxDispatchEntries);
  const messages: DispatchQueueMessages["messages"] = [];
  const bodies: Cell[] = [];
  const start = hashNumber(addr);
  for (const { addr: sender, queue } of dispatchQueues(state, start)) {
    const isStart = hashNumber(sender) === start;
    if (oneAccount && !isStart) break;
    for (const [lt, entry] of queue.messages.entries(isStart ? afterLt + 1n : 0n)) {
      if (messages.length === limit) return { messages, bodies, complete: false };
      const { cell } = entry.outMsg.value.msg;
      messages.push({ addr: sender, lt, hash: cell.hash(0), metadata: metadataOf(entry) });
      bodies.push(cell);
    }
  }
  return { messages, bodies, complete: true };
}

/** Dispatch queue and queue size of a state; undefined for states without them. */
export function queueExtra(state: Cell): OutMsgQueueExtra | undefined {
  return openState(state).outMsgQueueInfo.value.extra;
}

/** Counts the queue of states that do not store its size. */
function countQueue(state: Cell): number {
  return [...openState(state).outMsgQueueInfo.value.outQueue.keys()].length;
}

function* dispatchQueues(
  state: Cell,
  from: bigint | undefined,
): Generator<{ addr: Uint8Array; queue: AccountDispatchQueue }> {
  const root = queueExtra(state)?.dispatchQueue.root;
  if (!root) return;
  for (const { key, value } of walk(root, 256, from)) {
    value.skip(64);
    yield { addr: numberHash(key), queue: AccountDispatchQueue.load(value) };
  }
}

/** A message without metadata gets values that no metadata can have. */
function metadataOf({ outMsg: { value: envelope } }: EnqueuedMsg): TransactionMetadata {
  const metadata = envelope.kind === "v2" ? envelope.metadata : undefined;
  if (metadata) return asAnswered(metadata);
  return { depth: -1, initiator: { workchain: invalidWorkchain, id: new Uint8Array(32) }, initiatorLt: -1n };
}
