import type { BlockId, BlocksHeader } from "../../../../client/api.js";
import { isRpcError, type RpcError } from "../../../../client/errors.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { count, ton } from "../parts/amount.js";
import {
  type BlockPlace,
  blockLink,
  blockPath,
  decimalShard,
  hexShard,
  masterchainShard,
} from "../parts/block-id.js";
import { type ClaimedValues, claim, type Own } from "../parts/claim.js";
import { facts } from "../parts/facts.js";
import { failure } from "../parts/failure.js";
import { hashText, hexOf } from "../parts/hash.js";
import { isTick, type MessageLine } from "../parts/message-line.js";
import { optional } from "../parts/optional.js";
import { timeOf } from "../parts/time.js";
import {
  bodyOf,
  plainRowOf,
  rowsOf,
  type TransactionRow,
  transactionRows,
} from "../parts/transaction-rows.js";
import type { View, ViewContext } from "../view.js";

/** Transactions shown at first; a click shows more. */
const pageLength = 100;

/** A block: its header, proof, shards, transactions and messages. */
export const showBlock: View = async (context) => {
  const { root, params, title, call } = context;
  const place = placeOf(params);
  if (!place) {
    title("Block");
    root.innerHTML = html`<h1 tabindex="-1">This is no block</h1>
      <p>A block is a workchain, a shard of 16 hex digits and a number, such as <a href="/block/-1/8000000000000000/1">/block/-1/8000000000000000/1</a>.</p>`.text;
    return;
  }
  const isMaster = place.workchain === -1;
  title(`Block ${isMaster ? "" : `${place.workchain}:${place.shard}:`}${place.seqno}`);
  const wanted = { ...place, shard: decimalShard(place.shard) };
  const header = await call("getBlockHeader", wanted).catch(missing);
  if (!header) {
    root.innerHTML = html`<h1 tabindex="-1">No such block</h1>
      <p>The chain has no block <code>(${place.workchain},${place.shard},${place.seqno})</code> yet, or this service does not reach back to it.</p>`.text;
    return;
  }
  const [proof, shards, found] = await Promise.all([
    proofOf(context, header.id).catch((error: unknown) => failure(error)),
    isMaster ? call("getShards", { seqno: place.seqno }).catch(missing) : undefined,
    readTransactions(context, place),
  ]);
  const { rows, ticks, isIncomplete } = found;
  const page = document.createElement("div");
  page.innerHTML =
    html`<p class="crumb">${isMaster ? "Masterchain block" : `Block of workchain ${place.workchain}, shard ${place.shard}`}</p>
    <h1 tabindex="-1">${count(place.seqno)} ${header.is_key_block && html`<span class="pill">key block</span>`}</h1>
    ${neighbours(place, header)}
    ${facts(headerFacts(header, proof))}
    ${
      shards &&
      html`<h2>Blocks of shards ${claim(["shards", place.seqno], { count: shards.shards.length })}</h2><ul class="shards">${shards.shards.map((shard) => html`<li>${claim(["shards", place.seqno], shardValues(shard), blockLink(shard))} <span class="aside">shard ${hexShard(shard.shard)}</span></li>`)}</ul>`
    }
    <h2>Transactions ${html`<span class="count">${rows.length + ticks.length}${isIncomplete && "+"}</span>`}</h2>
    ${rows.length > 0 && transactionRows(rows, context)}
    ${
      ticks.length > 0 &&
      html`<details class="forms"><summary class="quiet-summary">${ticks.length} ${ticks.length === 1 ? "tick or tock" : "ticks and tocks"} of special contracts</summary>${transactionRows(ticks, context)}</details>`
    }
    ${rows.length + ticks.length === 0 && html`<p class="empty">None.</p>`}
    ${isIncomplete && html`<p class="hint">The first ${pageLength}.</p>`}
    ${messageTable(rows, context)}`.text;
  root.append(page);
};

function placeOf({ workchain = "", shard = "", seqno = "" }: ViewContext["params"]): BlockPlace | undefined {
  const isRight = /^-?\d{1,3}$/.test(workchain) && /^[\da-f]{16}$/i.test(shard) && /^\d{1,10}$/.test(seqno);
  return isRight
    ? { workchain: Number(workchain), shard: shard.toLowerCase(), seqno: Number(seqno) }
    : undefined;
}

/** A missing block is reported as such, not as a failure. */
function missing(error: unknown): undefined {
  const isMissing =
    isRpcError(error) && (error.status === 404 || error.status === 422 || isNotFoundByNode(error));
  if (!isMissing) throw error;
  return undefined;
}

/** Whether our service reports that its liteservers do not have the data. Errors without an answer have no body. */
function isNotFoundByNode({ body }: RpcError): boolean {
  return (
    (body as { error?: { data?: { not_found?: boolean } } } | undefined)?.error?.data?.not_found === true
  );
}

function neighbours({ workchain, shard, seqno }: BlockPlace, { prev_blocks: before }: BlocksHeader): Markup {
  const next = blockPath({ workchain, shard, seqno: seqno + 1 });
  return html`<p class="neighbours">${before.map((block) => html`<a href="${blockPath(block)}" rel="prev">← ${count(block.seqno)}</a>`)}
    <a href="${next}" rel="next">${count(seqno + 1)} →</a></p>`;
}

/** Number and hash of a shard's newest block. */
function shardValues({ workchain, shard, seqno, root_hash: hash }: BlockId): ClaimedValues {
  return { [`shard ${workchain}:${hexShard(shard)}`]: `${seqno} ${hexOf(hash) ?? hash}` };
}

function headerFacts(header: BlocksHeader, proof: Content): [string, Content][] {
  const own: Own = (values, shown) =>
    claim(["block", header.id.workchain, hexShard(header.id.shard), header.id.seqno], values, shown);
  const { id, after_merge, after_split, before_split, want_merge, want_split } = header;
  const flags = { after_merge, after_split, before_split, want_merge, want_split };
  const set = Object.entries(flags)
    .filter(([, value]) => value)
    .map(([name]) => name.replaceAll("_", " "));
  const key = header.prev_key_block_seqno;
  return [
    ["Made", own({ gen_utime: header.gen_utime }, timeOf(header.gen_utime))],
    ["Proof", proof],
    ["Root hash", own({ root_hash: id.root_hash }, hashText(id.root_hash))],
    ["File hash", own({ file_hash: id.file_hash }, hashText(id.file_hash))],
    [
      "Logical times",
      own(
        { start_lt: header.start_lt, end_lt: header.end_lt },
        html`<span class="mono">${header.start_lt}</span> to <span class="mono">${header.end_lt}</span>`,
      ),
    ],
    [
      "Key block before",
      key > 0 &&
        own(
          { prev_key_block_seqno: key, is_key_block: header.is_key_block },
          blockLink({ workchain: -1, shard: masterchainShard, seqno: key }),
        ),
    ],
    [
      "Least masterchain block",
      header.min_ref_mc_seqno > 0 &&
        own({ min_ref_mc_seqno: header.min_ref_mc_seqno }, count(header.min_ref_mc_seqno)),
    ],
    [
      "Validators",
      own(
        {
          catchain_seqno: header.catchain_seqno,
          validator_list_hash_short: header.validator_list_hash_short,
        },
        html`catchain ${count(header.catchain_seqno)}, list ${header.validator_list_hash_short}`,
      ),
    ],
    ["Shard", set.length > 0 && own(flags, set.join(", "))],
    [
      "Version",
      own(
        { version: header.version, global_id: header.global_id },
        html`${header.version}, network ${header.global_id}`,
      ),
    ],
  ];
}

/** The block's proof: validators' signatures, or the masterchain block that registered it. */
async function proofOf({ call }: ViewContext, id: BlockId): Promise<Markup> {
  const { workchain, seqno } = id;
  if (workchain === -1) {
    if (seqno === 0) return html`the zero state needs none`;
    const answer = await call("getMasterchainBlockSignatures", { seqno }).catch(missing);
    if (!answer) return html`<span class="aside">signatures are not available</span>`;
    const many = answer.signatures.length;
    return html`signed by ${many} ${many === 1 ? "validator" : "validators"}
      <details class="forms"><summary class="quiet-summary">signatures</summary><ul>${answer.signatures
        .slice(0, 100)
        .map(
          ({ node_id_short: node, signature }) =>
            html`<li>${hashText(node)} <code class="clip">${hexOf(signature) ?? signature}</code></li>`,
        )}</ul></details>`;
  }
  const answer = await call("getShardBlockProof", { workchain, shard: id.shard, seqno }).catch(missing);
  if (!answer) return html`<span class="aside">no masterchain block is known to register it</span>`;
  const links = answer.links.length;
  return html`registered by masterchain block ${blockLink(answer.mc_id)}, proven over ${links} ${links === 1 ? "link" : "links"}`;
}

type Found = {
  readonly rows: readonly TransactionRow[];
  readonly ticks: readonly TransactionRow[];
  readonly isIncomplete: boolean;
};

async function readTransactions({ call, indexed }: ViewContext, place: BlockPlace): Promise<Found> {
  if (indexed) {
    const answer = await optional(
      call("v3.transactions", { ...place, limit: pageLength, sort: "asc", include_abi: true }),
    );
    const { transactions = [], ...extras } = answer ?? {};
    if (transactions.length > 0)
      return {
        rows: rowsOf(
          transactions.filter((each) => !isTick(each)),
          extras,
        ),
        ticks: rowsOf(transactions.filter(isTick), extras),
        isIncomplete: transactions.length === pageLength,
      };
  }
  // The index may have failed, or not have reached the block.
  const wanted = { ...place, shard: decimalShard(place.shard), count: pageLength };
  const { transactions, incomplete } = await call("getBlockTransactionsExt", wanted);
  return {
    rows: transactions.filter(({ in_msg: message }) => message).map(plainRowOf),
    ticks: transactions.filter(({ in_msg: message }) => !message).map(plainRowOf),
    isIncomplete: incomplete,
  };
}

/** All messages of some transactions, each once. */
function messageTable(rows: readonly TransactionRow[], { names }: ViewContext): Markup {
  const messages = new Map<string, MessageLine>();
  for (const { incoming, outgoing } of rows)
    for (const message of incoming ? [incoming, ...outgoing] : outgoing) messages.set(message.hash, message);
  if (messages.size === 0) return html``;
  const end = (address: string | undefined) =>
    address === undefined
      ? html`<span class="none">outside</span>`
      : addressLink(address, { names, bare: true });
  return html`<h2>Messages <span class="count">${messages.size}</span></h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Messages"><table class="list">
      <thead><tr><th>Hash</th><th>From</th><th>To</th><th>Body</th><th class="end">Value</th></tr></thead>
      <tbody>${[...messages.values()].map(
        (
          message,
        ) => html`<tr><td>${hashText(message.hash)}</td><td>${end(message.source)}</td><td>${end(message.destination)}</td>
          <td class="clipped">${bodyOf(message)}</td><td class="end">${message.source !== undefined && message.destination !== undefined && ton(message.value)}</td></tr>`,
      )}</tbody></table></div>`;
}
