import { expect } from "vitest";
import { parseBoc, parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { type AccountId, type LiteApi, LiteError } from "../../../../shared/ton/lite/lite-api.js";
import { Account } from "../../../../shared/ton/tlb/account.js";
import {
  type BlockIdExt,
  invalidWorkchain,
  masterchain,
  wholeShard,
} from "../../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { flippedBits } from "../flipped-bits.js";
import { checkHeaderBoc } from "./proof-checks.js";

/** An implementation under test. Optional abilities may be absent: the suite skips their cases. */
export type Target = {
  api: LiteApi;
  /** Makes one masterchain block. */
  advance?: () => Promise<unknown>;
  /** Returns a new valid external message. */
  message?: () => Uint8Array | Promise<Uint8Array>;
  /** A get-method without arguments that succeeds and returns one integer. */
  method?: { account: AccountId; methodId: bigint; result: bigint };
  /** Hash of an existing library. */
  library?: Uint8Array;
  /** Its states do not store the sizes of message queues, so these are not proven and not reported. */
  hasNoQueueSizes?: boolean;
  close?: () => Promise<unknown>;
};

/** The target is set by the suite's first hook. */
export type Opened = { readonly target: Target; readonly api: LiteApi; readonly sample: Sample };

export type SampleTransaction = { block: BlockIdExt; account: AccountId; lt: bigint; hash: Uint8Array };

/** Sample blocks and accounts, read from the api under test. */
export type Sample = {
  zero: BlockIdExt;
  last: BlockIdExt;
  first: BlockIdExt;
  /** The newest shard blocks. */
  shards: BlockIdExt[];
  /** A block with several transactions. */
  busy: BlockIdExt;
  /** Its transactions in order. */
  transactions: SampleTransaction[];
  /** The last transaction of a contract that has earlier ones. */
  recent: SampleTransaction;
};

const searched = 100;

export async function learn(api: LiteApi): Promise<Sample> {
  const { last, init } = await api.getMasterchainInfo();
  const zero = { ...init, shard: wholeShard, seqno: 0 };
  const first = await blockAt(api, 1);
  const shards = await shardsOf(api, last);
  let best: SampleTransaction[] = [];
  let recent: SampleTransaction | undefined;
  for (let seqno = last.seqno; seqno > Math.max(0, last.seqno - searched); seqno--) {
    const id = await blockAt(api, seqno);
    for (const block of [id, ...(await shardsOf(api, id)).filter((shard) => shard.seqno > 0)]) {
      const transactions = await transactionsOf(api, block);
      if (transactions.length > best.length) best = transactions;
      recent ??= await withHistory(api, id, transactions);
    }
    if (best.length >= 8 && recent) break;
  }
  if (!recent) throw new Error("the chain has no contract with two transactions");
  return { zero, last, first, shards, busy: best[0]!.block, transactions: best, recent };
}

export async function blockAt(api: LiteApi, seqno: number): Promise<BlockIdExt> {
  const { id } = await api.lookupBlock({
    id: { workchain: masterchain, shard: wholeShard, seqno },
    bySeqno: true,
  });
  return id;
}

async function shardsOf(api: LiteApi, id: BlockIdExt): Promise<BlockIdExt[]> {
  const whole = await api.getShardInfo({ id, workchain: 0, shard: wholeShard, exact: false });
  if (whole.shardblk.workchain !== invalidWorkchain) return [whole.shardblk];
  const quarters = [0x2000000000000000n, 0x6000000000000000n, 0xa000000000000000n, 0xe000000000000000n];
  const found = await Promise.all(
    quarters.map((shard) => api.getShardInfo({ id, workchain: 0, shard: shard | 1n, exact: false })),
  );
  return found
    .map(({ shardblk }) => shardblk)
    .filter(({ shard }, index, all) => all.findIndex((other) => other.shard === shard) === index);
}

async function transactionsOf(api: LiteApi, block: BlockIdExt): Promise<SampleTransaction[]> {
  const { ids } = await api.listBlockTransactions({
    id: block,
    count: 256,
    account: true,
    lt: true,
    hash: true,
  });
  return ids.map(({ account, lt, hash }) => ({
    block,
    account: { workchain: block.workchain, id: account! },
    lt: lt!,
    hash: hash!,
  }));
}

/** A transaction that is the last, but not the first, of its account at the masterchain block. */
async function withHistory(
  api: LiteApi,
  id: BlockIdExt,
  transactions: SampleTransaction[],
): Promise<SampleTransaction | undefined> {
  for (const transaction of transactions.toReversed()) {
    const { state } = await api.getAccountState({ id, account: transaction.account });
    if (state.length === 0 || decode(Account, parseBocRoot(state))?.storage.state.kind !== "active") continue;
    const [root] = parseBoc((await api.getTransactions({ ...transaction, count: 1 })).transactions);
    if (decode(Transaction, root!).prevTransLt > 0n) return transaction;
  }
  return undefined;
}

/** Start and end lt of a block, and its time. */
export async function timesOf(api: LiteApi, id: BlockIdExt) {
  const { headerProof } = await api.getBlockHeader({ id });
  return checkHeaderBoc(id, headerProof).info;
}

/** The hash of nothing that exists. */
export const strangeHash = new Uint8Array(32).fill(0x5a);

export function strange(id: BlockIdExt): BlockIdExt {
  return { ...id, rootHash: strangeHash, fileHash: strangeHash };
}

/** Asserts code and text of an error; a pattern if the text contains data of the chain. */
export async function expectLiteError(
  answer: Promise<unknown>,
  code: number,
  text: string | RegExp,
): Promise<void> {
  const error = await answer.then(
    (value) =>
      expect.unreachable(`answered ${JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}` : v))}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LiteError);
  const { code: actualCode, message } = error as LiteError;
  expect({ code: actualCode, message }).toEqual({
    code,
    message: typeof text === "string" ? text : expect.stringMatching(text),
  });
}

/** Asserts that each copy of a proof with one flipped bit fails its check; the bits are spread over its cells. */
export function expectFlipsFail(proof: Uint8Array, check: (proof: Uint8Array) => unknown): void {
  check(proof);
  const firstCellByte = 24;
  for (const { bit, flipped } of flippedBits(proof, { first: firstCellByte * 8, step: 101 }))
    expect(() => check(flipped), `bit ${bit} of ${proof.length * 8} flipped`).toThrow();
}
