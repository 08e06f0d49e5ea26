import type { Address } from "../../../values/address.js";
import { bytesToHex } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { LiteCall } from "../../lite/lite-api.js";
import { accountPrefix, type BlockIdExt } from "../../tlb/block-id.js";
import type { Transaction } from "../../tlb/transaction.js";
import type { ChainReader } from "./reader.js";

/** The transaction that received a message, and its block. */
type Receiver = { cell: Cell; transaction: Transaction; block: BlockIdExt };

/** `block`: the masterchain block to search at. Only transactions after `sinceLt` are searched. */
type Range = { block: BlockIdExt; address: Address; sinceLt: bigint };

type AccountReader = Pick<ChainReader, "account" | "transactions">;

/** Only the newest 64 transactions are searched. */
const maxSearched = 64;

/** Finds the transaction that received a message among the newest ones of the account. */
export async function findReceiver(
  reader: AccountReader & Pick<ChainReader, "lookup">,
  { messageHash, ...range }: Range & { messageHash: Uint8Array },
  call: LiteCall,
): Promise<Receiver | undefined> {
  const found = (await receivedSince(reader, range, call)).get(bytesToHex(messageHash));
  if (!found) return undefined;
  const { cell, transaction } = found;
  const { workchain, hash } = range.address;
  const position = { workchain, shard: accountPrefix(hash), lt: transaction.lt };
  return { cell, transaction, block: await reader.lookup(position, call) };
}

/** The newest transactions of an account, by the messages that they received, in hex. */
export async function receivedSince(
  reader: AccountReader,
  { block, address, sinceLt }: Range,
  call: LiteCall,
): Promise<Map<string, Omit<Receiver, "block">>> {
  const { lastTransaction } = await reader.account(block, address, call);
  if (lastTransaction.lt <= sinceLt) return new Map();
  const query = { address, from: lastTransaction, limit: maxSearched, toLt: sinceLt };
  const { transactions } = await reader.transactions(query, call);
  const received = new Map<string, Omit<Receiver, "block">>();
  for (const { cell, transaction } of transactions) {
    const { inMsg } = transaction.messages.value;
    const hash = inMsg?.cell.hashHex();
    if (hash !== undefined && !received.has(hash)) received.set(hash, { cell, transaction });
  }
  return received;
}
