import { html } from "../../pages/markup.js";
import { blockRowsOf } from "../latest.js";
import { decimalShard, masterchainShard } from "../parts/block-id.js";
import { type BlockRow, blockRows } from "../parts/block-rows.js";
import type { View, ViewContext } from "../view.js";

const pageLength = 30;
/** Maximum time between a shard block and its registration. */
const registrationSec = 10;
const maxShardBlocks = 500;
/** Without an index every block takes two calls. */
const plainPageLength = 12;

/** Blocks of the masterchain with those of shards, newest first. The address names the first one: `?to=<seqno>`. */
export const showBlocks: View = async (context) => {
  const { root, query, title, call, indexed } = context;
  title("Blocks");
  const { last } = await call("getMasterchainInfo");
  const asked = query.get("to");
  const to = asked !== null && /^\d{1,10}$/.test(asked) ? Math.min(Number(asked), last.seqno) : last.seqno;
  const length = indexed ? pageLength : plainPageLength;
  const first = Math.max(1, to - length + 1);
  const seqnos = Array.from({ length: Math.max(0, to - first + 1) }, (_, index) => to - index);
  const rows = await (indexed
    ? indexedRows(context, { skipped: last.seqno - to, length })
    : plainRows(context, seqnos));
  root.innerHTML = html`<h1 tabindex="-1">Blocks</h1>
    ${rows.length > 0 ? html`<div class="narrow">${blockRows(rows)}</div>` : html`<p class="empty">There are no blocks here.</p>`}
    <p class="more pages">${to < last.seqno && html`<a href="/blocks${to + length < last.seqno && `?to=${to + length}`}">← Newer</a>`}
      ${first > 1 && html`<a href="/blocks?to=${first - 1}">Older →</a>`}</p>`.text;
};

async function indexedRows(
  { call }: ViewContext,
  { skipped, length }: { skipped: number; length: number },
): Promise<BlockRow[]> {
  const { blocks: own } = await call("v3.blocks", { workchain: -1, limit: length, offset: skipped });
  const times = own.map(({ gen_utime: time }) => Number(time));
  if (times.length === 0) return [];
  const { blocks } = await call("v3.blocks", {
    workchain: 0,
    start_utime: Math.min(...times) - registrationSec,
    end_utime: Math.max(...times),
    limit: maxShardBlocks,
  });
  return blockRowsOf([...own, ...blocks]);
}

function plainRows({ call }: ViewContext, seqnos: readonly number[]): Promise<BlockRow[]> {
  return Promise.all(
    seqnos.map(async (seqno) => {
      const place = { workchain: -1, shard: decimalShard(masterchainShard), seqno };
      const [header, { shards }] = await Promise.all([
        call("getBlockHeader", place),
        call("getShards", { seqno }),
      ]);
      return { seqno, now: header.gen_utime, shards };
    }),
  );
}
