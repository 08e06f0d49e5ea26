import { beforeAll, describe, expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../../shared/ton/cells/cell.js";
import type { DispatchQueueInfo, DispatchQueueMessages } from "../../../../../shared/ton/lite/lite-api.js";
import {
  getBlockOutMsgQueueSize,
  getDispatchQueueInfo,
  getDispatchQueueMessages,
} from "../../../../../shared/ton/proofs/make/queues.js";
import type { ServedChain } from "../../../../../shared/ton/proofs/make/served-chain.js";
import { ProofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import {
  verifyDispatchMessages,
  verifyDispatchQueues,
  verifyQueueSize,
} from "../../../../../shared/ton/proofs/verify/queues.js";
import { CellOf } from "../../../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../../../shared/ton/tlb/codec.js";
import { Message } from "../../../../../shared/ton/tlb/message.js";
import { MsgEnvelope } from "../../../../../shared/ton/tlb/msg-envelope.js";
import {
  AccountDispatchQueue,
  DispatchQueue,
  type EnqueuedMsg,
  type OutMsgQueueExtra,
  OutMsgQueueInfo,
} from "../../../../../shared/ton/tlb/out-msg-queue.js";
import { ShardStateUnsplit } from "../../../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../../../shared/values/address.js";
import { internalMessage } from "../../../../helpers/chain/sample-chain.js";
import { type ForgedBlock, proofsOf, withState } from "./forged.js";
import { rememberedChain } from "./remembered-chain.js";

const filled = (byte: number) => new Uint8Array(32).fill(byte);
const initiator = new Address(0, filled(0x77));

/** A message that waits since an lt, with metadata if it has a depth. */
function waiting(lt: bigint, depth?: number): EnqueuedMsg {
  const to = { kind: "regular" as const, useDestBits: 96 };
  const body = beginCell().storeUint(lt, 64).endCell();
  const msg = CellOf.in(Message, internalMessage({ value: lt, body }));
  const envelope = { curAddr: to, nextAddr: to, fwdFeeRemaining: 1n, msg };
  const metadata = depth === undefined ? undefined : { depth, initiatorAddr: initiator, initiatorLt: 5n };
  const outMsg = CellOf.of(MsgEnvelope, { kind: "v2", ...envelope, emittedLt: undefined, metadata });
  return { enqueuedLt: lt, outMsg };
}

function queueOf(...messages: EnqueuedMsg[]): AccountDispatchQueue {
  const empty = decode(AccountDispatchQueue, beginCell().storeUint(0, 1).storeUint(0, 48).endCell());
  const entries = messages.map((message): [bigint, EnqueuedMsg] => [message.enqueuedLt, message]);
  return { messages: empty.messages.update(entries), count: messages.length };
}

const sender = { first: filled(0x11), second: filled(0x22) };
const dispatchQueue = DispatchQueue.empty.update([
  [sender.first, queueOf(waiting(10n, 1), waiting(20n, 2), waiting(30n))],
  [sender.second, queueOf(waiting(40n, 3))],
]);

describe("queues of a block", () => {
  let block: ForgedBlock;
  beforeAll(async () => {
    const { api, close } = await rememberedChain();
    const { last: id } = await api.getMasterchainInfo();
    const [{ data: root }, { data: state }] = [await api.getBlock({ id }), await api.getState({ id })];
    block = { id, root: parseBocRoot(root), state: parseBocRoot(state) };
    await close();
  });

  /** The block with other extra facts of its queues. */
  function blockWith(extra: OutMsgQueueExtra | undefined): ForgedBlock {
    const state = decode(ShardStateUnsplit, block.state);
    const info = state.outMsgQueueInfo.value;
    const outMsgQueueInfo = CellOf.of(OutMsgQueueInfo, { ...info, extra });
    return withState(block, encode(ShardStateUnsplit, { ...state, outMsgQueueInfo }));
  }

  /** A chain of one block. */
  function chainOf({ id, root, state }: ForgedBlock): ServedChain {
    const file = { id, root, boc: serializeBoc(root) };
    return { block: async () => file, state: async () => state } as unknown as ServedChain;
  }

  function reasonOf(check: () => unknown): string {
    try {
      check();
    } catch (error) {
      expect(error).toBeInstanceOf(ProofError);
      return (error as Error).message;
    }
    return "nothing was refused";
  }

  test("are listed with the lts of their messages, and each of these is proven", async () => {
    const forged = blockWith({ dispatchQueue, outQueueSize: 4 });
    const query = { id: forged.id, maxAccounts: 10, proof: true };
    const answer = await getDispatchQueueInfo(chainOf(forged), query);
    const [first, second] = answer.accountDispatchQueues;
    expect([first, second]).toEqual([
      { addr: sender.first, size: 3n, minLt: 10n, maxLt: 30n },
      { addr: sender.second, size: 1n, minLt: 40n, maxLt: 40n },
    ]);
    const check = (more: Partial<DispatchQueueInfo>) =>
      reasonOf(() => verifyDispatchQueues(query, { ...answer, ...more }));
    expect(check({})).toBe("nothing was refused");
    expect(check({ accountDispatchQueues: [first!] })).toBe("wrong number of queues");
    expect(check({ complete: false })).toBe("wrong number of queues");
    for (const lie of [{ addr: filled(1) }, { size: 2n }, { minLt: 11n }, { maxLt: 29n }]) {
      expect(check({ accountDispatchQueues: [{ ...first!, ...lie }, second!] })).toBe("queue 0 is wrong");
      expect(check({ accountDispatchQueues: [first!, { ...second!, ...lie }] })).toBe("queue 1 is wrong");
    }
    const { proof: _, ...without } = answer;
    expect(reasonOf(() => verifyDispatchQueues(query, without))).toBe("the proof is missing");
    expect(check({ id: block.id })).toMatch(/^the answer is about .* with other hashes/);
  });

  test("are proven with each message, its metadata and its body", async () => {
    const forged = blockWith({ dispatchQueue, outQueueSize: 4 });
    const query = {
      id: forged.id,
      addr: sender.first,
      afterLt: 10n,
      maxMessages: 10,
      messagesBoc: true,
      proof: true,
    };
    const answer = await getDispatchQueueMessages(chainOf(forged), query);
    expect(answer.messages.map(({ lt }) => lt)).toEqual([20n, 30n, 40n]);
    const check = (more: Partial<DispatchQueueMessages>, request: object = {}) =>
      reasonOf(() => verifyDispatchMessages({ ...query, ...request }, { ...answer, ...more }));
    expect(check({})).toBe("nothing was refused");
    expect(check({ messages: answer.messages.slice(1) })).toBe("wrong number of messages");
    expect(check({ complete: !answer.complete })).toBe("wrong number of messages");
    const { metadata } = answer.messages[0]!;
    const lies = [
      { addr: filled(1) },
      { lt: 21n },
      { hash: filled(1) },
      { metadata: { ...metadata, depth: 9 } },
      { metadata: { ...metadata, initiatorLt: 6n } },
      { metadata: { ...metadata, initiator: { workchain: 1, id: initiator.hash } } },
      { metadata: { ...metadata, initiator: { workchain: 0, id: filled(1) } } },
    ];
    for (const lie of lies)
      expect(check({ messages: answer.messages.with(0, { ...answer.messages[0]!, ...lie }) })).toBe(
        "message 0 is wrong",
      );
    const last = { ...answer.messages[2]!, lt: 41n };
    expect(check({ messages: answer.messages.with(2, last) })).toBe("message 2 is wrong");
    const bodies = serializeBoc([0, 1, 2].map((index) => beginCell().storeUint(index, 8).endCell()));
    expect(check({ messagesBoc: bodies })).toMatch(/^message 0 is wrong: \w{64} instead of \w{64}$/);
    expect(check({ messagesBoc: bodies }, { messagesBoc: false })).toBe("nothing was refused");
    for (const messagesBoc of [serializeBoc(Cell.empty), new Uint8Array(0)])
      expect(check({ messagesBoc })).toBe("`messages_boc` does not match the list");
    const { messagesBoc: _, ...without } = answer;
    expect(reasonOf(() => verifyDispatchMessages(query, without))).toBe(
      "`messages_boc` does not match the list",
    );
  });

  test("have a size only if the state stores it", async () => {
    const counted = blockWith({ dispatchQueue, outQueueSize: 4 });
    const answer = await getBlockOutMsgQueueSize(chainOf(counted), { id: counted.id, proof: true });
    expect(answer.size).toBe(4n);
    expect(reasonOf(() => verifyQueueSize({ id: counted.id }, answer))).toBe("nothing was refused");
    expect(reasonOf(() => verifyQueueSize({ id: counted.id }, { ...answer, size: 5n }))).toBe(
      "wrong size of the queue",
    );
    for (const extra of [undefined, { dispatchQueue, outQueueSize: undefined }]) {
      const { id, root, state } = blockWith(extra);
      const claim = { id, size: 0n, proof: proofsOf(root, state) };
      expect(reasonOf(() => verifyQueueSize({ id }, claim))).toBe("wrong size of the queue");
    }
  });
});
