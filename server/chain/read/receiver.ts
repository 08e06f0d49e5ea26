import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import { accountPrefix, type BlockIdExt } from "../../tlb/block-id.js";
import type { Transaction } from "../../tlb/transaction.js";
import type { LiteCall } from "../lite-api.js";
import type { ChainReader } from "./reader.js";

/** The transaction that received a message, and its block. */
export type Receiver = { cell: Cell; transaction: Transaction; block: BlockIdExt };

type Search = {
  /** The masterchain block to search at. */
  block: BlockIdExt;
  address: Address;
  messageHash: Uint8Array;
  /** Only transactions after this logical time are searched. */
  sinceLt: bigint;
};

/** Only the newest 64 transactions are searched. */
const maxSearched = 64;

/** Finds the transaction that received a message among the newest ones of the account. */
export async function findReceiver(
  reader: Pick<ChainReader, "account" | "transactions" | "lookup">,
  { block, address, messageHash, sinceLt }: Search,
  call: LiteCall,
): Promise<Receiver | undefined> {
  const { lastTransaction } = await reader.account(block, address, call);
  if (lastTransaction.lt <= sinceLt) return undefined;
  const query = { address, from: lastTransaction, limit: maxSearched, toLt: sinceLt };
  const { transactions } = await reader.transactions(query, call);
  const hash = Buffer.from(messageHash);
  const found = transactions.find(({ transaction }) => {
    const { inMsg } = transaction.messages.value;
    return inMsg !== undefined && hash.equals(inMsg.cell.hash());
  });
  if (!found) return undefined;
  const { cell, transaction } = found;
  const position = { workchain: address.workchain, shard: accountPrefix(address.hash), lt: transaction.lt };
  return { cell, transaction, block: await reader.lookup(position, call) };
}
