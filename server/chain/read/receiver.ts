import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import { accountPrefix, type BlockIdExt } from "../../tlb/block-id.js";
import type { Transaction } from "../../tlb/transaction.js";
import type { LiteCall } from "../lite-api.js";
import type { ChainReader } from "./reader.js";

/** A transaction that happened, and the block it is in. */
export type Receiver = { cell: Cell; transaction: Transaction; block: BlockIdExt };

type Search = {
  /** The masterchain block that counts as the last. */
  block: BlockIdExt;
  address: Address;
  messageHash: Uint8Array;
  /** Only transactions after this logical time are looked at, and of those the newest. */
  sinceLt: bigint;
};

/** Of more transactions than these the message is hardly the last one an account would still wait for. */
const maxLookedAt = 64;

/** The transaction that took a message in, if it is among the newest of the account. */
export async function findReceiver(
  reader: Pick<ChainReader, "account" | "transactions" | "lookup">,
  { block, address, messageHash, sinceLt }: Search,
  call: LiteCall,
): Promise<Receiver | undefined> {
  const { lastTransaction } = await reader.account(block, address, call);
  if (lastTransaction.lt <= sinceLt) return undefined;
  const query = { address, from: lastTransaction, limit: maxLookedAt, toLt: sinceLt };
  const { transactions } = await reader.transactions(query, call);
  const hash = Buffer.from(messageHash);
  const found = transactions.find(({ transaction }) => {
    const { inMsg } = transaction.messages.value;
    return inMsg !== undefined && hash.equals(inMsg.cell.hash());
  });
  if (!found) return undefined;
  const { cell, transaction } = found;
  const place = { workchain: address.workchain, shard: accountPrefix(address.hash), lt: transaction.lt };
  return { cell, transaction, block: await reader.lookup(place, call) };
}
