import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { ChainEvents } from "../../chain/chain-events.js";
import type { Log } from "../../observe/log.js";

/** A step of the devnet has at most 600 transactions. */
const maxTransactions = 1000;

/**
 * Logs the blocks of a devnet that have transactions in the basechain, and reverts. Blocks of the masterchain have ticks
 * and tocks in any case.
 */
export function logBlocks(
  events: ChainEvents,
  reader: Pick<ChainReader, "shards" | "listBlock">,
  log: Pick<Log, "info">,
): void {
  let previous: Promise<void> = Promise.resolve();
  events.onHead((id) => {
    previous = previous
      .then(() => logBlock(id, reader, log))
      // The chain was reverted meanwhile, or is closing.
      .catch(() => {});
  });
  events.onReverted((block) => log.info({ block }, "chain reverted"));
}

async function logBlock(
  id: BlockIdExt,
  reader: Pick<ChainReader, "shards" | "listBlock">,
  log: Pick<Log, "info">,
): Promise<void> {
  let transactions = 0;
  for (const block of await reader.shards(id))
    transactions += (await reader.listBlock({ block, count: maxTransactions })).transactions.length;
  if (transactions > 0) log.info({ block: id.seqno, transactions }, "block");
}
