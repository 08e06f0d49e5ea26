import { setImmediate } from "node:timers/promises";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { transactionsOf } from "../tlb/account-block.js";
import { Block } from "../tlb/block.js";
import { decode } from "../tlb/codec.js";
import type { ChainStorage } from "./chain-storage.js";

/** Steps looked through, newest first: transactions are kept by account and time, not by hash. */
const searchedSteps = 10_000;

/** Where the transaction with this hash is. */
export async function findTransaction(
  hash: Uint8Array,
  storage: ChainStorage,
  newest: number,
): Promise<{ workchain: number; id: Uint8Array; lt: bigint } | undefined> {
  for (let seqno = newest; seqno > Math.max(0, newest - searchedSteps); seqno--) {
    const roots = await storage.blocksAt(seqno);
    if (!roots) return undefined;
    for (const root of [roots.basechain, roots.masterchain]) {
      const { info, extra } = decode(Block, root);
      for (const transaction of transactionsOf(extra.value.accountBlocks.value)) {
        if (!bytesEqual(transaction.cell.hash(), hash)) continue;
        const { accountAddr, lt } = transaction.value;
        return { workchain: info.value.shardId.workchain, id: accountAddr, lt };
      }
    }
    await setImmediate();
  }
  return undefined;
}
