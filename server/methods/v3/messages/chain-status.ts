import type { MessageStatus } from "../../../../shared/schema/v3/message-status.js";
import type { LiteCall } from "../../../../shared/ton/lite/lite-api.js";
import type { ChainReader } from "../../../../shared/ton/proofs/read/reader.js";
import type { FoundTransaction } from "../../../../shared/ton/proofs/read/transactions.js";
import { accountPrefix, type BlockId, wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { normalizedHash } from "../../../../shared/ton/tlb/message.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../../shared/values/address.js";
import { bytesEqual } from "../../../../shared/values/bytes.js";
import { readWalletRequest } from "../../../contracts/wallet-request.js";
import { presentBlockOf, presentNames, presentTransactionRef } from "../../../present/v3/message-status.js";
import type { JudgedTransaction } from "../../../store/queries/messages/message-status.js";
import type { Receiver } from "./fate.js";
import type { KnownMessage } from "./known-message.js";
import { stateOf } from "./receiver.js";
import type { SeqnoUser } from "./seqno-user.js";

/** The newest transactions of an account, searched when there is no index. */
type ChainHistory = { transactions: readonly FoundTransaction[]; receiver: Receiver };

export type HistoryDeps = {
  reader: Pick<ChainReader, "last" | "account" | "transactions" | "lookup">;
  /** The row that an index would have for a transaction. */
  rowOf(transaction: CellOf<Transaction>, block: BlockId): JudgedTransaction;
};

const maxSearched = 64;

export async function readHistory(
  { reader }: HistoryDeps,
  to: Address,
  call: LiteCall,
): Promise<ChainHistory> {
  const account = await reader.account(reader.last, to, call);
  const { lastTransaction: from } = account;
  const { transactions, previous } =
    from.lt === 0n
      ? { transactions: [], previous: from }
      : await reader.transactions({ address: to, from, limit: maxSearched, toLt: 0n }, call);
  const knownSince = previous.lt === 0n ? 0 : (transactions.at(-1)?.transaction.now ?? account.syncUtime);
  return { transactions, receiver: { ...stateOf(account), utime: account.syncUtime, knownSince } };
}

/** The status of a message received by one of the transactions; `undefined` if none received it. */
export async function statusInHistory(
  deps: HistoryDeps,
  { transactions }: ChainHistory,
  message: Pick<KnownMessage, "hash" | "hashNorm">,
  call: LiteCall,
): Promise<MessageStatus | undefined> {
  const found = transactions.find(({ transaction }) => {
    const { inMsg } = transaction.messages.value;
    if (!inMsg) return false;
    if (bytesEqual(inMsg.cell.hash(), message.hash)) return true;
    const isExternal = inMsg.value.info.kind === "externalIn" && message.hashNorm !== undefined;
    return isExternal && bytesEqual(normalizedHash(inMsg.value), message.hashNorm!);
  });
  if (!found) return undefined;
  const { address, transaction } = found;
  const position = { workchain: address.workchain, shard: accountPrefix(address.hash), lt: transaction.lt };
  const row = rowOf(deps, found, await deps.reader.lookup(position, call));
  return {
    status: "included",
    ...namesOfReceived(found),
    transaction: presentTransactionRef(row, message.hashNorm !== undefined),
    block: presentBlockOf(row),
    mc_block_seqno: null,
    trace_id: null,
    finality: "finalized",
    pending_messages: null,
    failures: [],
    failures_total: 0,
  };
}

/** The message that used a seqno, if one of the transactions received it. */
export function seqnoUserIn(
  deps: HistoryDeps,
  { transactions }: ChainHistory,
  { interface: name, seqno }: { interface: string; seqno: number | null },
): SeqnoUser | undefined {
  const found = transactions.find(({ transaction }) => {
    const message = transaction.messages.value.inMsg?.value;
    return message?.info.kind === "externalIn" && readWalletRequest(name, message.body)?.seqno === seqno;
  });
  if (!found) return undefined;
  // The answer does not include the block, so its seqno does not matter.
  const row = rowOf(deps, found, { workchain: found.address.workchain, shard: wholeShard, seqno: 0 });
  return { ...namesOfReceived(found), transaction: presentTransactionRef(row, true) };
}

function rowOf(deps: HistoryDeps, { cell }: FoundTransaction, block: BlockId): JudgedTransaction {
  return deps.rowOf(CellOf.in(Transaction, cell), block);
}

function namesOfReceived({ transaction }: FoundTransaction) {
  const { cell, value } = transaction.messages.value.inMsg!;
  return presentNames(cell.hash(), value.info.kind === "externalIn" ? normalizedHash(value) : undefined);
}
