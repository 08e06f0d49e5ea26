import SQL, { join, raw } from "sql-template-tag";
import { codeOf, directions, transactionKinds } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { jettonWallets } from "../../tables/jettons.js";
import { contentColumns, messages } from "../../tables/messages.js";
import { nftItems } from "../../tables/nfts.js";
import { transactions } from "../../tables/transactions.js";
import { besideRows } from "../cluster/beside-rows.js";
import { lockOfRows } from "../cluster/divided-clauses.js";
import {
  gatheredByMessages,
  gatheredContractsByMessages,
  gatheredEventsByMessages,
} from "../cluster/gathered-rows.js";
import { selectJoined } from "../rows.js";
import { slotBounds } from "../slots/slots.js";
import { withContents } from "../transactions/transaction-text.js";

const inbound = codeOf(directions, "in");
const ordinary = codeOf(transactionKinds, "ord");

/** A part of the stored messages that are requests, in the order of lt: where it ends, and the block that ends it. */
export type RequestSpan = { to: bigint; mc_seqno: number };

/** The next received messages of these opcodes behind an lt; `undefined` if there are none. By messages_by_opcode_tx. */
export async function nextRequests(
  queries: Queries,
  opcodes: readonly number[],
  after: bigint,
  limit: number,
): Promise<RequestSpan | undefined> {
  const rows = opcodes.map(
    (opcode) => SQL`(
      select tx_lt, mc_seqno from messages where opcode = ${opcode} and tx_lt > ${after} and direction = ${inbound}
      order by tx_lt limit ${limit})`,
  );
  const [row] = await queries.query<{ to: bigint | null; mc_seqno: number }>(SQL`
    select max(tx_lt) as to, max(mc_seqno) as mc_seqno
    from (select * from (${join(rows, " union all ")}) found order by tx_lt limit ${limit}) page`);
  return row && row.to !== null ? { to: row.to, mc_seqno: row.mc_seqno } : undefined;
}

const { account, hash, lt, now, aborted, mc_block_seqno, trace_id } = transactions.columns;
const requestColumns = {
  t: { account, hash, lt, now, aborted, mc_block_seqno, trace_id },
  m: { source: messages.columns.source },
};
const outerColumns = {
  b: { body: contentColumns.body },
  w: { jetton: jettonWallets.columns.jetton },
  n: { index: nftItems.columns.index, collection_address: nftItems.columns.collection_address },
};

/**
 * Ordinary transactions of token contracts that received one of these messages and are no event yet. They are locked, so
 * that they cannot be taken back, and their traces not be joined, before the transaction ends. By messages_by_opcode_tx, which
 * has opcodes only: a list that may be empty does not tell the planner so.
 */
export async function lockMissingEvents(
  transaction: Transaction,
  opcodes: readonly number[],
  after: bigint,
  to: bigint,
) {
  const isRequest = SQL`m.opcode = any(${opcodes}::integer[]) and m.opcode is not null
      and m.tx_lt > ${after} and m.tx_lt <= ${to} and m.direction = ${inbound} and m.source is not null`;
  const gathered = await besideRows(transaction, async () => {
    const { first } = await slotBounds(transaction, [after + 1n, to]);
    return [
      ...gatheredByMessages(isRequest, first),
      ...gatheredEventsByMessages(isRequest),
      ...gatheredContractsByMessages(isRequest),
    ];
  });
  const lock = await lockOfRows(transaction, "join", SQL`for share of t`);
  return selectJoined(
    gathered,
    requestColumns,
    SQL`messages m
      join transactions t on ${isHash("t.hash", raw("m.tx_hash"))} and t.lt = m.tx_lt
      join slots s on s.from_lt <= m.tx_lt and s.to_lt > m.tx_lt
      ${withContents("s.from_lt")}
      left join jetton_wallets w on w.address = t.account
      left join nft_items n on n.address = t.account
    where ${isRequest} and t.descr = ${ordinary}
      and (w.address is not null or n.address is not null)
      and not exists (select from jetton_transfers e where ${isHash("e.tx_hash", raw("t.hash"))} and e.tx_lt = t.lt)
      and not exists (select from jetton_burns e where ${isHash("e.tx_hash", raw("t.hash"))} and e.tx_lt = t.lt)
      and not exists (select from nft_transfers e where ${isHash("e.tx_hash", raw("t.hash"))} and e.tx_lt = t.lt)
    ${lock}`,
    { outer: outerColumns },
  );
}

/** The first and the last masterchain block that are stored; `undefined` if none is. */
export async function storedBlocks(queries: Queries): Promise<{ first: number; last: number } | undefined> {
  const [row] = await queries.query<{ first: number | null; last: number }>(SQL`
    select min(from_seqno) as first, max(done_to) as last from index_ranges where done_to >= from_seqno`);
  return row && row.first !== null ? { first: row.first, last: row.last } : undefined;
}
