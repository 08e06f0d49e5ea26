import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { count } from "./amount.js";
import { type BlockPlace, blockLink } from "./block-id.js";
import { timeAgo } from "./time.js";

/** List row of a masterchain block with the shard blocks it registered. */
export type BlockRow = {
  readonly seqno: number;
  readonly now: number;
  /** Transactions in the masterchain; absent if not counted. */
  readonly ownTransactions?: number | undefined;
  readonly shards: readonly (BlockPlace & { readonly transactions?: number | undefined })[];
};

/** Ticks and tocks of an otherwise empty masterchain block. */
const ticksPerBlock = 2;

export function transactionsOf({ ownTransactions = 0, shards }: BlockRow): number {
  return shards.reduce((sum, { transactions = 0 }) => sum + transactions, ownTransactions);
}

/** Whether a block contains only ticks. */
export function isIdle(row: BlockRow): boolean {
  return (
    row.ownTransactions !== undefined &&
    row.ownTransactions <= ticksPerBlock &&
    transactionsOf(row) === row.ownTransactions
  );
}

const maxShards = 4;

/** Blocks as a list, newest first. Successive idle blocks share one row. */
export function blockRows(rows: readonly BlockRow[]): Markup {
  return html`<ol class="rows blocks">${runsOf(rows).map((run) => html`<li>${run.length > 2 ? idleRun(run) : run.map(blockRow)}</li>`)}</ol>`;
}

/** Groups successive idle blocks; runs of one or two are rendered as separate rows. */
export function runsOf(rows: readonly BlockRow[]): BlockRow[][] {
  const runs: BlockRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    const continues =
      last && isIdle(row) && isIdle(itemAt(last, 0)) && itemAt(last, -1).seqno === row.seqno + 1;
    if (continues) last.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((run) => (run.length > 2 ? [run] : run.map((row) => [row])));
}

function blockRow(row: BlockRow): Markup {
  const total = transactionsOf(row);
  const hidden = row.shards.length - maxShards;
  return html`<div class="row-id">${blockLink({ workchain: -1, shard: "8000000000000000", seqno: row.seqno })}
      <span class="aside">${timeAgo(row.now)}</span></div>
    <div class="row-lines aside">${row.shards.slice(0, maxShards).map((shard) => html`<span class="shard">${blockLink(shard)}</span> `)}${hidden > 0 && `and ${hidden} more`}</div>
    <div class="row-end">${
      row.ownTransactions === undefined
        ? ""
        : isIdle(row)
          ? html`<span class="aside">idle</span>`
          : html`${count(total)} <span class="aside">${total === 1 ? "transaction" : "transactions"}</span>`
    }</div>`;
}

function idleRun(run: readonly BlockRow[]): Markup {
  const [newest, oldest] = [itemAt(run, 0), itemAt(run, -1)];
  const place = (seqno: number) => blockLink({ workchain: -1, shard: "8000000000000000", seqno });
  return html`<div class="row-id">${place(newest.seqno)} <span class="aside">${timeAgo(newest.now)}</span></div>
    <div class="row-lines aside">back to ${place(oldest.seqno)}</div>
    <div class="row-end aside">${run.length} idle blocks</div>`;
}
