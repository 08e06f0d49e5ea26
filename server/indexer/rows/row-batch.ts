import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type BlockIdExt, masterchain } from "../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { foundIn, itemAt } from "../../../shared/values/lookups.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import { ChainRows } from "../../store/copy/chain-rows.js";
import { CombinedRows } from "../../store/copy/combined-rows.js";
import type { RowSet, RowSink } from "../../store/copy/row-set.js";
import type { RowOf } from "../../store/declare/table.js";
import type { Extent } from "../../store/queries/slots/slots.js";
import type { AccountState } from "../../store/tables/accounts.js";
import { tables } from "../../store/tables/all-tables.js";
import type { FinalAccountState, KnownCell } from "../decode/account.js";
import type { DecodedTransaction } from "../decode/decode-block.js";
import { signedShard } from "../decode/values.js";
import { keyOf } from "../hash-key.js";
import type { MasterchainUnit } from "../units/chain-units.js";
import { type ReceivedRequest, receivedRequest } from "./token-request.js";
import { TraceCollector } from "./trace-collector.js";

/** The latest state of an account in a batch, and the masterchain block it was read at. */
export type LatestAccount = FinalAccountState & { seenAt: BlockIdExt };

/** Rows of consecutive masterchain blocks to store together. Rows are encoded when added. */
export class RowBatch {
  readonly rows: RowSet;
  readonly #blocks: RowSink<RowOf<typeof tables.blocks.columns>>;
  readonly #shardState: RowSink<RowOf<typeof tables.shardState.columns>>;
  readonly #transactions: RowSink<RowOf<typeof tables.transactions.columns>>;
  readonly #messages: RowSink<RowOf<typeof tables.messages.columns>>;
  /** Blocks, transactions and messages, with their contents. */
  readonly chain: ChainRows;
  /** Transactions by trace, for classification. */
  readonly traceParts = new TraceCollector();
  /** Elections, validator sets and complaints. */
  readonly validators = new CombinedRows();
  readonly accountStates = new Map<string, AccountState>();
  readonly accounts = new Map<string, LatestAccount>();
  /** Last states of accounts before they lost or changed their code; they may have been contracts. */
  readonly endedContracts: LatestAccount[] = [];
  /** Unpruned code, by hash. */
  readonly codes = new Map<string, Cell>();
  /** Requests that are token events if their accounts are token contracts. */
  readonly tokenRequests: ReceivedRequest[] = [];
  readonly #units: Pick<MasterchainUnit, "seqno" | "id" | "genUtime">[] = [];

  constructor(rows: RowSet) {
    this.rows = rows;
    this.#blocks = rows.of(tables.blocks);
    this.#shardState = rows.of(tables.shardState);
    this.#transactions = rows.of(tables.transactions);
    this.#messages = rows.of(tables.messages);
    this.chain = new ChainRows(rows);
  }

  get size(): number {
    return this.#units.length;
  }
  /** Number of transactions, messages and blocks. */
  get rowCount(): number {
    return this.#transactions.rows + this.#messages.rows + this.#blocks.rows;
  }
  /** The last masterchain block. The batch must not be empty. */
  get last(): Pick<MasterchainUnit, "seqno" | "id" | "genUtime"> {
    return itemAt(this.#units, -1);
  }
  /** The first masterchain block's seqno. */
  get firstSeqno(): number {
    return itemAt(this.#units, 0).seqno;
  }
  /** The lt span of its blocks, transactions and messages. */
  get extent(): Extent | undefined {
    return this.chain.extent;
  }

  /** Adds a unit. Its transactions must have their final trace ids. */
  async add(unit: MasterchainUnit, timeSlice: TimeSlice): Promise<void> {
    for (const transaction of inOrderOfLt(unit.blocks)) {
      this.#addTransaction(transaction);
      await timeSlice.yieldIfDue();
    }
    for (const { row, contents } of unit.blocks) {
      this.chain.addBlock(row);
      for (const cell of contents) {
        this.#addContent(cell);
        await timeSlice.yieldIfDue();
      }
    }
    const { start_lt } = foundIn(unit.blocks, ({ row }) => row.workchain === masterchain).row;
    for (const { workchain, shard, seqno } of unit.heads)
      this.#shardState.add({ mc_seqno: unit.seqno, workchain, shard: signedShard(shard), seqno, start_lt });
    for (const account of unit.accounts) this.#addAccount(account, unit.id);
    const { seqno, id, genUtime } = unit;
    this.#units.push({ seqno, id, genUtime });
  }

  #addTransaction(transaction: DecodedTransaction): void {
    const { row, inMessage, outMessages } = transaction;
    this.traceParts.addTransaction(transaction);
    const request = receivedRequest(transaction);
    if (request) this.tokenRequests.push(request);
    try {
      this.chain.addTransaction(row);
      if (inMessage) this.chain.addMessage(inMessage);
      for (const message of outMessages) this.chain.addMessage(message);
    } catch (cause) {
      throw new Error(`transaction ${bytesToHex(row.hash)} has a value that does not fit its column`, {
        cause,
      });
    }
  }

  #addContent(cell: Cell): void {
    const hash = cell.hash();
    if (this.chain.hasContent(hash)) return;
    const body = serializeBoc(cell);
    this.chain.addContent({ hash, body });
    this.traceParts.addContent(hash, body);
  }

  #addAccount(account: FinalAccountState, seenAt: BlockIdExt): void {
    const { state } = account;
    const key = keyOf(state.account);
    const before = this.accounts.get(key);
    this.accountStates.set(keyOf(state.hash), state);
    // Blocks of a shard and of the shards it was split into are not ordered.
    if (before && isLater(before, account)) return;
    if (before && hasOtherCode(before, account)) this.endedContracts.push(before);
    const code = completed(account.code, before?.code);
    const data = completed(account.data, before?.data);
    this.accounts.set(key, { ...account, code, data, seenAt });
    if (code?.cell) this.codes.set(keyOf(code.hash), code.cell);
  }
}

/** Blocks have them by account. Entries that come in their order fill the pages of an index. */
function inOrderOfLt(blocks: MasterchainUnit["blocks"]): DecodedTransaction[] {
  const transactions = blocks.flatMap((block) => block.transactions);
  return transactions.sort((a, b) => (a.row.lt < b.row.lt ? -1 : a.row.lt > b.row.lt ? 1 : 0));
}

/** With equal last transactions, the second state is an edit. */
function isLater(
  { lastTransaction: a }: FinalAccountState,
  { lastTransaction: b }: FinalAccountState,
): boolean {
  return a !== undefined && b !== undefined && a.lt > b.lt;
}

function hasOtherCode({ code }: FinalAccountState, { code: later }: FinalAccountState): boolean {
  return code !== undefined && (later === undefined || keyOf(later.hash) !== keyOf(code.hash));
}

/** A cell pruned as unchanged may be known from an earlier block. */
function completed(now: KnownCell | undefined, before: KnownCell | undefined): KnownCell | undefined {
  if (!now || now.cell || !before?.cell) return now;
  return keyOf(now.hash) === keyOf(before.hash) ? before : now;
}
