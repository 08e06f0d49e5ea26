import type { Block, BlockId } from "../../../client/api.js";
import { isMissingMethod, isRpcError } from "../../../client/errors.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { decimalShard, hexShard, masterchainShard } from "./parts/block-id.js";
import type { BlockRow } from "./parts/block-rows.js";
import { isTick } from "./parts/message-line.js";
import { plainRowOf, rowsOf, type TransactionRow } from "./parts/transaction-rows.js";
import type { Call } from "./view.js";

/** The newest blocks and transactions, newest first. */
export type Latest = {
  readonly blocks: readonly BlockRow[];
  readonly transactions: readonly TransactionRow[];
  /** Masterchain blocks not yet indexed. */
  readonly lag: number;
};

/** Blocks kept for the list and the chart. */
const keptBlocks = 48;
const shownTransactions = 8;
/** Ticks are left out of those of the masterchain. */
const masterTransactions = 16;
/** Without an index each block takes additional calls. */
const plainBlocks = 8;
const transactionsPerBlock = 16;

/** By cursor: where few of the newest are of this workchain, that gives a short page, and no refusal. */
async function newestOf(call: Call, asked: { workchain: number; limit: number; include_abi: true }) {
  try {
    return await call("v3.transactions", { ...asked, cursor: "start" });
  } catch (error) {
    // A database of TON Center has no cursors.
    if (!isMissingMethod(error)) throw error;
    return call("v3.transactions", asked);
  }
}

/** Polls the newest blocks and transactions; requests only unseen ones. */
export class LatestReader {
  readonly #isIndexed: boolean;
  #blocks = new Map<number, BlockRow>();
  #transactions = new Map<string, TransactionRow>();
  /** Counted shard blocks, by id. */
  #seen = new Map<string, number>();
  #lag = 0;

  constructor(isIndexed: boolean) {
    this.#isIndexed = isIndexed;
  }

  async read(call: Call): Promise<Latest> {
    if (!this.#isIndexed) await this.#readChain(call);
    // An index opens some seconds after the service, and may stop while the chain continues.
    else await this.#readIndex(call).catch((error) => this.#readInstead(call, error));
    const blocks = newest([...this.#blocks.values()], ({ seqno }) => BigInt(seqno), keptBlocks);
    const transactions = newest([...this.#transactions.values()], ({ lt }) => BigInt(lt), shownTransactions);
    this.#blocks = new Map(blocks.map((row) => [row.seqno, row]));
    this.#transactions = new Map(transactions.map((row) => [row.hash, row]));
    return { blocks, transactions, lag: this.#lag };
  }

  /** Drops all data, after a devnet was reverted. */
  forget(): void {
    this.#blocks.clear();
    this.#transactions.clear();
    this.#seen.clear();
  }

  #readInstead(call: Call, error: unknown): Promise<void> {
    if (!isRpcError(error, "unavailable")) throw error;
    return this.#readChain(call);
  }

  async #readIndex(call: Call): Promise<void> {
    const isFirst = this.#blocks.size === 0;
    const blockLimit = isFirst ? 2 * keptBlocks : 16;
    const [{ last }, { blocks }, ...lists] = await Promise.all([
      call("getMasterchainInfo"),
      call("v3.blocks", { limit: blockLimit }),
      newestOf(call, { workchain: 0, limit: shownTransactions, include_abi: true }),
      newestOf(call, { workchain: -1, limit: masterTransactions, include_abi: true }),
    ]);
    const rows = blockRowsOf(blocks);
    // The index is still empty.
    if (rows.length === 0) return this.#readChain(call);
    const head = itemAt(rows, 0).seqno;
    this.#lag = Math.max(0, last.seqno - head);
    if (this.#blocks.size > 0 && !rows.some(({ seqno }) => this.#blocks.has(seqno))) {
      this.forget();
      return this.#readIndex(call);
    }
    // Shards of the lowest block may be cut off by the limit.
    if (blocks.length === blockLimit && rows.length > 1) rows.pop();
    for (const row of rows) this.#blocks.set(row.seqno, row);
    for (const seqno of this.#blocks.keys()) if (seqno > head) this.#blocks.delete(seqno);
    for (const { transactions, ...extras } of lists) {
      const shown = transactions.filter((each) => !isTick(each));
      for (const row of rowsOf(shown, extras)) this.#transactions.set(row.hash, row);
    }
  }

  async #readChain(call: Call): Promise<void> {
    const { last } = await call("getMasterchainInfo");
    const known = Math.max(0, ...this.#blocks.keys());
    if (known > last.seqno) this.forget();
    const first = Math.max(1, last.seqno - plainBlocks + 1, known <= last.seqno ? known + 1 : 1);
    const seqnos = Array.from({ length: last.seqno - first + 1 }, (_, index) => first + index);
    const read = await Promise.all(
      seqnos.map(async (seqno) => {
        const place = { workchain: -1, shard: decimalShard(masterchainShard), seqno };
        const [header, { shards }] = await Promise.all([
          call("getBlockHeader", place),
          call("getShards", { seqno }),
        ]);
        return { seqno, now: header.gen_utime, place, shards };
      }),
    );
    for (const { seqno, now, place, shards } of read) {
      const fresh = shards.filter((shard) => !this.#seen.has(idOf(shard)));
      for (const shard of fresh) this.#seen.set(idOf(shard), seqno);
      const all = await Promise.all(
        [place, ...fresh].map(({ workchain, shard, seqno }) =>
          call("getBlockTransactionsExt", { workchain, shard, seqno, count: transactionsPerBlock }),
        ),
      );
      this.#blocks.set(seqno, {
        seqno,
        now,
        ownTransactions: itemAt(all, 0).transactions.length,
        shards: fresh.map((shard, index) => ({
          workchain: shard.workchain,
          shard: hexShard(shard.shard),
          seqno: shard.seqno,
          transactions: itemAt(all, index + 1).transactions.length,
        })),
      });
      for (const { transactions } of all)
        for (const each of transactions)
          if (each.in_msg) this.#transactions.set(each.transaction_id.hash, plainRowOf(each));
    }
    for (const [id, seqno] of this.#seen) if (seqno < last.seqno - keptBlocks) this.#seen.delete(id);
  }
}

const idOf = ({ workchain, shard, seqno }: BlockId) => `${workchain}:${shard}:${seqno}`;

/** Masterchain blocks with the shard blocks that they registered, newest first. */
export function blockRowsOf(blocks: readonly Block[]): BlockRow[] {
  return blocks
    .filter(({ workchain }) => workchain === -1)
    .map((block) => ({
      seqno: block.seqno,
      now: Number(block.gen_utime),
      ownTransactions: block.tx_count,
      shards: blocks
        .filter((each) => each.workchain !== -1 && each.masterchain_block_ref.seqno === block.seqno)
        .map(({ workchain, shard, seqno, tx_count: transactions }) => ({
          workchain,
          shard,
          seqno,
          transactions,
        })),
    }))
    .sort((a, b) => b.seqno - a.seqno);
}

/** The sort is stable: rows of equal order would otherwise move with every read. */
function newest<T>(rows: readonly T[], orderOf: (row: T) => bigint, limit: number): T[] {
  const ordered = [...rows].sort((a, b) => Number(orderOf(b) - orderOf(a)));
  return ordered.slice(0, limit);
}
