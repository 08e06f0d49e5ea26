import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { accountOf, blockRow, bytesOf, hashOf, type Rows, transactionRow, wholeShard } from "./rows.js";
import { type Chain, messagesOf } from "./sample-index.js";

/**
 * Shards with their accounts. When the masterchain registers a block, that refers to one so many masterchain blocks earlier than it
 * could, and is older than the masterchain block by so many.
 */
const shards = [
  { shard: 2n ** 62n, letters: ["a", "b"], behind: 0, older: 0 },
  { shard: -3n * 2n ** 61n, letters: ["c"], behind: 1, older: 1 },
  { shard: -(2n ** 61n), letters: ["d", "e"], behind: 3, older: 0 },
] as const;
const masterchainBlocks = 16;
/** A masterchain block and what refers to the one before it. */
const ltWidth = 4n;
const timeWidth = 2;

/**
 * A small index in which shards lag behind each other. Lt and times of its blocks are as on a chain: greater than those of the
 * masterchain block that the block refers to, less than those of the one that registers it.
 */
export function laggingIndex(): Chain {
  const blocks: ReturnType<typeof blockRow>[] = [];
  const shardState: NonNullable<Rows["shardState"]> = [];
  const transactions: TransactionRow[] = [];
  for (let mc_seqno = 1; mc_seqno <= masterchainBlocks; mc_seqno++) {
    const ofMasterchain = { workchain: -1, shard: wholeShard, seqno: mc_seqno };
    const end_lt = BigInt(mc_seqno + 1) * ltWidth - 1n;
    const common = { mc_block_seqno: mc_seqno };
    const gen_utime = timeOf(mc_seqno);
    blocks.push(blockRow({ ...ofMasterchain, ...common, gen_utime, start_lt: end_lt, end_lt }));
    shardState.push({ ...ofMasterchain, mc_seqno, start_lt: end_lt });
    for (const { shard, letters, behind, older } of shards) {
      if (mc_seqno <= behind) {
        // The newest block of the shard is not stored.
        shardState.push({ workchain: 0, shard, seqno: 0, mc_seqno, start_lt: end_lt });
        continue;
      }
      const start_lt = BigInt(mc_seqno - behind) * ltWidth;
      const now = timeOf(mc_seqno - older) - 1;
      const own = { workchain: 0, shard, seqno: mc_seqno };
      blocks.push(blockRow({ ...own, ...common, gen_utime: now, start_lt, end_lt: start_lt + ltWidth - 2n }));
      shardState.push({ ...own, mc_seqno, start_lt: end_lt });
      for (const [at, letter] of letters.entries()) {
        if ((mc_seqno * 5 + at) % 4 === 0) continue;
        transactions.push(
          transactionRow({
            ...common,
            account: bytesOf(accountOf(letter)),
            lt: start_lt + BigInt(at),
            now,
            block_shard: shard,
            block_seqno: mc_seqno,
            trace_id: hashOf(`trace ${mc_seqno}`),
          }),
        );
      }
    }
  }
  transactions.sort((one, other) => Number(one.lt - other.lt));
  const messages = transactions.flatMap((transaction, i) => messagesOf(transaction, transactions[i + 3], i));
  return { transactions, messages, blocks, shardState };
}

function timeOf(seqno: number): number {
  return 98 + seqno * timeWidth;
}
