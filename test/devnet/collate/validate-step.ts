import { createHash } from "node:crypto";
import { expect } from "vitest";
import { isSignedBy } from "../../../server/chain/ed25519.js";
import type { BlockPair, CollatedBlock } from "../../../server/devnet/collate/block/block-pair.js";
import { signedBytes } from "../../../server/devnet/collate/block/sign-block.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { applyMerkleUpdate } from "../../../shared/ton/cells/merkle/merkle-update.js";
import { nodeIdShort } from "../../../shared/ton/proofs/verify/trust/validators.js";
import { ShardAccountBlocks, transactionsOf } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { type Codec, decode, encode } from "../../../shared/ton/tlb/codec.js";
import { addCurrencies, noCurrencies, sameCurrencies } from "../../../shared/ton/tlb/currency-collection.js";
import type { InMsg } from "../../../shared/ton/tlb/in-msg.js";
import { InMsgDescr } from "../../../shared/ton/tlb/in-msg-descr.js";
import type { OutMsg } from "../../../shared/ton/tlb/out-msg.js";
import { OutMsgDescr } from "../../../shared/ton/tlb/out-msg-descr.js";
import { OutMsgQueue } from "../../../shared/ton/tlb/out-msg-queue.js";
import { ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { shardAt } from "../../../shared/ton/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { isBalanced } from "../../../shared/ton/tlb/value-flow.js";

export type States = { masterchain: Cell; basechain: Cell };

/**
 * Validates a step like a validator that did not make it: from the bytes of its blocks and the states before, without
 * data from the collator. Returns the states after it.
 */
export function validateStep(pair: BlockPair, before: States, validatorKeys: readonly Uint8Array[]): States {
  const basechain = validateBlock(pair.basechain, before.basechain);
  const masterchain = validateBlock(pair.masterchain, before.masterchain);
  const { signatures } = pair.signatures;
  expect(signatures.map((one) => one.nodeIdShort)).toEqual(validatorKeys.map(nodeIdShort));
  for (const [index, key] of validatorKeys.entries())
    expect(isSignedBy(key, signedBytes(pair.masterchain.id), signatures[index]!.signature)).toBe(true);
  checkRegistration(pair, masterchain.state);
  return { masterchain: masterchain.state, basechain: basechain.state };
}

function validateBlock({ id, boc, state: claimed }: CollatedBlock, before: Cell): { state: Cell } {
  const root = parseBocRoot(boc);
  expect(createHash("sha256").update(boc).digest("hex")).toBe(hex(id.fileHash));
  expect(root.hashHex()).toBe(hex(id.rootHash));
  const block = decode(Block, root);
  expect(encode(Block, block).equals(root)).toBe(true);
  const state = applyMerkleUpdate(block.stateUpdate, before);
  expect(state.equals(claimed)).toBe(true);
  checkContent(block, decode(ShardStateUnsplit, before), decode(ShardStateUnsplit, state));
  return { state };
}

function checkContent(block: Block, before: ShardStateUnsplit, after: ShardStateUnsplit): void {
  const info = block.info.value;
  const extra = block.extra.value;
  const flow = block.valueFlow.value;
  expect(info.shardId).toEqual(after.shardId);
  expect(info.seqno).toBe(before.seqno + 1);
  expect(after).toMatchObject({ seqno: info.seqno, genUtime: info.genUtime, genLt: info.endLt });
  expect(info.startLt).toBeGreaterThan(before.genLt);
  expect(info.prevRef.value[0]).toMatchObject({ seqno: before.seqno, endLt: before.genLt });

  const [inMsgs, outMsgs] = [extra.inMsgDescr.value, extra.outMsgDescr.value];
  checkSums(InMsgDescr, inMsgs);
  checkSums(OutMsgDescr, outMsgs);
  checkSums(ShardAccountBlocks, extra.accountBlocks.value);
  checkSums(OutMsgQueue, after.outMsgQueueInfo.value.outQueue);
  checkSums(ShardAccounts, after.accounts.value);

  expect(isBalanced(flow)).toBe(true);
  expect(sameCurrencies(flow.fromPrevBlk, before.accounts.value.extra.balance)).toBe(true);
  expect(flow.toNextBlk.coins).toBe(balanceOf(after.accounts.value));
  expect(flow.imported.coins).toBe(inMsgs.extra.valueImported.coins);
  expect(flow.exported.coins).toBe(outMsgs.extra.coins);

  const transactions = [...transactionsOf(extra.accountBlocks.value)];
  checkTransactions(block, transactions);
  checkMessages(transactions, inMsgs, outMsgs);
  checkAccounts(block, before, after);
  checkQueue(outMsgs, before, after);
}

/** Compares the extras of all nodes with those of a dictionary rebuilt from the entries. */
function checkSums<D extends { entries(): Iterable<[unknown, unknown]> }>(
  type: Codec<D> & { empty: { update(entries: never): unknown } },
  dictionary: D,
): void {
  const rebuilt = type.empty.update([...dictionary.entries()] as never) as D;
  expect(encode(type, rebuilt).hashHex()).toBe(encode(type, dictionary).hashHex());
}

function balanceOf(accounts: ShardAccounts): bigint {
  let sum = 0n;
  for (const { account } of accounts.values()) sum += account.value?.storage.balance.coins ?? 0n;
  return sum;
}

function checkTransactions(block: Block, transactions: readonly CellOf<Transaction>[]): void {
  const { startLt, endLt, genUtime } = block.info.value;
  for (const { value } of transactions) {
    expect(value.now).toBe(genUtime);
    expect(value.lt).toBeGreaterThan(startLt);
    expect(value.lt + BigInt(value.outMsgCount)).toBeLessThan(endLt);
  }
}

/** Checks that the in and out messages of the block are exactly those of its transactions. */
function checkMessages(
  transactions: readonly CellOf<Transaction>[],
  inMsgs: InMsgDescr,
  outMsgs: OutMsgDescr,
): void {
  const imported = new Map([...inMsgs.entries()].map(([hash, message]) => [hex(hash), message]));
  const exported = new Map([...outMsgs.entries()].map(([hash, message]) => [hex(hash), message]));
  for (const transaction of transactions) {
    const { inMsg, outMsgs: sent } = transaction.value.messages.value;
    if (inMsg) {
      const record = imported.get(inMsg.cell.hashHex());
      expect(record && transactionIn(record)?.cell.hashHex()).toBe(transaction.cell.hashHex());
      imported.delete(inMsg.cell.hashHex());
    } else expect(transaction.value.description.value.kind).toBe("tickTock");
    for (const message of sent.values()) {
      const record = exported.get(message.cell.hashHex());
      expect(record && transactionOut(record)?.cell.hashHex()).toBe(transaction.cell.hashHex());
      exported.delete(message.cell.hashHex());
    }
  }
  expect([...imported.keys()]).toEqual([]);
  for (const record of exported.values()) expect(["deq", "deqShort", "deqImm"]).toContain(record.kind);
}

function transactionIn(record: InMsg): CellOf<Transaction> | undefined {
  return "transaction" in record ? record.transaction : undefined;
}

function transactionOut(record: OutMsg): CellOf<Transaction> | undefined {
  return "transaction" in record ? record.transaction : undefined;
}

/** Checks that the transactions of each account form a chain from its state before to its state after. */
function checkAccounts(block: Block, before: ShardStateUnsplit, after: ShardStateUnsplit): void {
  for (const { accountAddr, transactions, stateUpdate } of block.extra.value.accountBlocks.value.values()) {
    const [old, now] = [before.accounts.value.get(accountAddr), after.accounts.value.get(accountAddr)];
    let last = { lastTransHash: new Uint8Array(32), lastTransLt: 0n, ...old };
    let hash = stateUpdate.value.oldHash;
    for (const transaction of transactions.values()) {
      const { prevTransHash, prevTransLt, lt, stateUpdate: change } = transaction.value;
      expect(hex(prevTransHash)).toBe(hex(last.lastTransHash));
      expect(prevTransLt).toBe(last.lastTransLt);
      expect(hex(change.value.oldHash)).toBe(hex(hash));
      hash = change.value.newHash;
      last = { ...last, lastTransHash: transaction.cell.hash(), lastTransLt: lt };
    }
    expect(hex(hash)).toBe(hex(stateUpdate.value.newHash));
    if (!now) continue;
    expect(now.account.cell.hashHex()).toBe(hex(hash));
    expect({ hash: hex(now.lastTransHash), lt: now.lastTransLt }).toEqual({
      hash: hex(last.lastTransHash),
      lt: last.lastTransLt,
    });
  }
}

/** Checks that the queue changed by the exported and dequeued messages, and that its stated size is right. */
function checkQueue(outMsgs: OutMsgDescr, before: ShardStateUnsplit, after: ShardStateUnsplit): void {
  const expected = new Set(queued(before));
  for (const [hash, { kind }] of outMsgs.entries()) {
    if (kind === "new") expected.add(hex(hash));
    if (kind === "deq" || kind === "deqShort" || kind === "deqImm")
      expect(expected.delete(hex(hash))).toBe(true);
  }
  expect(queued(after).sort()).toEqual([...expected].sort());
  expect(after.outMsgQueueInfo.value.extra?.outQueueSize).toBe(expected.size);
}

function queued(state: ShardStateUnsplit): string[] {
  return Array.from(state.outMsgQueueInfo.value.outQueue.keys(), ({ hash }) => hex(hash));
}

/** Checks that the masterchain registers exactly this basechain block and imports its fees. */
function checkRegistration({ basechain, masterchain }: BlockPair, state: Cell): void {
  const base = decode(Block, basechain.root);
  const master = decode(Block, masterchain.root).extra.value.custom!.value;
  const { custom } = decode(ShardStateUnsplit, state);
  for (const hashes of [master.shardHashes, custom!.value.shardHashes])
    expect(shardAt(hashes, 0, 0n)!.descr).toMatchObject({
      seqno: basechain.id.seqno,
      rootHash: basechain.id.rootHash,
      fileHash: basechain.id.fileHash,
      startLt: basechain.startLt,
      endLt: basechain.endLt,
    });
  const { feesCollected, created } = base.valueFlow.value;
  expect(master.shardFees.extra.fees.coins).toBe(feesCollected.coins);
  expect(master.shardFees.extra.create.coins).toBe(created.coins);
}

/** The total of money: on accounts, in queued messages, and in the validators' pool. */
export function supplyOf({ masterchain, basechain }: States): bigint {
  const states = [masterchain, basechain].map((state) => decode(ShardStateUnsplit, state));
  const pool = states[0]!.totals.value.totalValidatorFees.coins;
  return states.reduce(
    (sum, state) => sum + state.accounts.value.extra.balance.coins + waiting(states, state),
    pool,
  );
}

/** Value of the queued messages that the other chain has not imported yet. */
function waiting(states: readonly ShardStateUnsplit[], state: ShardStateUnsplit): bigint {
  const receiver = states.find((other) => other !== state)!;
  const done = [...receiver.outMsgQueueInfo.value.procInfo.values()];
  let sum = noCurrencies;
  for (const [key, { outMsg }] of state.outMsgQueueInfo.value.outQueue.entries()) {
    const { msg, fwdFeeRemaining } = outMsg.value;
    const { info } = msg.value;
    if (info.kind !== "internal") throw new Error("only internal messages wait in queues");
    const foreign = key.workchain === receiver.shardId.workchain;
    if (foreign && done.some(({ lastMsgLt }) => info.createdLt <= lastMsgLt)) continue;
    sum = addCurrencies(sum, { ...info.value, coins: info.value.coins + fwdFeeRemaining });
  }
  return sum.coins;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
