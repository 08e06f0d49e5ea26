import type { MessageStatus, Trace } from "../../../../client/api.js";
import { isRpcError } from "../../../../client/errors.js";
import { memberOf } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { showActions } from "../actions/action-list.js";
import { AnswerNames, type Extras } from "../actions/answer-names.js";
import { accountLink } from "../actions/phrase-text.js";
import { count, ton } from "../parts/amount.js";
import { blockLink, masterchainShard } from "../parts/block-id.js";
import { shareButton } from "../parts/copy.js";
import { facts } from "../parts/facts.js";
import { failure, needsIndex } from "../parts/failure.js";
import { hashText, hexOf, tracePath, transactionPath } from "../parts/hash.js";
import { timeOf } from "../parts/time.js";
import { TracePicture } from "../trace/picture.js";
import { traceSummary } from "../trace/summary.js";
import { totalsOf } from "../trace/totals.js";
import type { View, ViewContext } from "../view.js";

type Found = Extras & { readonly trace: Trace };

/** A trace by its id, by one of its transactions, or by one of its messages. */
export const showTrace: View = async (context) => {
  const { root, params, indexed, title } = context;
  const hash = hexOf(memberOf(params, "hash"));
  title(`Trace ${hash?.slice(0, 8) ?? ""}`.trim());
  const tell = (content: Markup) => {
    root.innerHTML = html`<h1 tabindex="-1">Trace</h1>${content}`.text;
  };
  if (hash === undefined) return tell(html`<p class="empty">The address has no hash: 64 hex digits.</p>`);
  if (!indexed) return tell(needsIndex("A trace"));
  const found = await find(context, hash);
  if (!found) tell(html`<p role="status">${await withoutTrace(context, hash)}</p>`);
  const page = new TracePage(context);
  if (found) page.show(found);
  if (found?.trace.trace_info.trace_state === "complete") return;
  void follow(context, found?.trace.trace_id ?? hash, page);
  void followMessage(context, hash, page);
};

/** Explains a hash without a trace. */
async function withoutTrace({ call }: ViewContext, hash: string): Promise<Markup> {
  const status = await call("v3.messageStatus", { hash, include_text: true });
  return (
    messageStatusText(status) ??
    html`Nothing is known of ${hashText(hash)} yet. If it is the normalized hash of a message, its trace appears here.`
  );
}

async function find({ call }: ViewContext, hash: string): Promise<Found | undefined> {
  for (const filter of [{ tx_hash: [hash] }, { msg_hash: [hash] }]) {
    const { traces, ...extras } = await call("v3.traces", {
      ...filter,
      include_actions: true,
      include_abi: true,
      include_text: true,
      limit: 1,
    });
    if (traces[0]) return { ...extras, trace: traces[0] };
  }
  const { traces, ...extras } = await call("v3.pendingTraces", {
    ext_msg_hash: [hash],
    include_abi: true,
    include_text: true,
  });
  return traces[0] && { ...extras, trace: traces[0] };
}

/** Shows the trace as it grows, and in the end the indexed trace. */
async function follow(context: ViewContext, hash: string, page: TracePage): Promise<void> {
  const { live, signal, callQuietly } = context;
  try {
    const include = ["messages", "address_book", "metadata", "abi", "text"] as const;
    const onReset = () => page.say("The transactions shown before are void: another block replaced theirs.");
    for await (const event of live.trace(hash, { finality: "pending", include, signal, onReset }))
      page.show(event);
    const final = await find({ ...context, call: callQuietly }, hash);
    if (final) page.show(final);
  } catch (error) {
    if (!signal.aborted && !isRpcError(error, "aborted")) page.fail(error);
  }
}

/** Shows the status of a message that will not be in a block, or that emulation does not show. */
async function followMessage({ live, signal }: ViewContext, hash: string, page: TracePage): Promise<void> {
  try {
    for await (const { message } of live.message(hash, { signal, include: ["text"] })) page.tell(message);
  } catch {
    // The trace shares the connection and reports its failure.
  }
}

/** The parts of the view that change while a trace is pending. */
class TracePage {
  readonly #context: ViewContext;
  readonly #picture = new TracePicture();

  constructor(context: ViewContext) {
    this.#context = context;
  }

  show({ trace, ...extras }: Found): void {
    const { root, signal } = this.#context;
    if (signal.aborted) return;
    const names = new AnswerNames(extras, this.#context.names);
    if (!root.contains(this.#picture.element)) {
      root.innerHTML = html`<div class="dense"></div>`.text;
      root.append(this.#picture.element);
    }
    const top = root.firstElementChild!;
    top.innerHTML = head(trace, names).text;
    if (trace.actions) showActions(elementOf(top, "[data-part=actions]"), trace.actions, names);
    this.#picture.show(trace, names);
  }

  tell(message: MessageStatus): void {
    const { root, signal } = this.#context;
    const isShown = root.contains(this.#picture.element);
    const text = messageStatusText(message);
    if (signal.aborted || !text || (isShown && message.status === "pending")) return;
    root.innerHTML = html`<h1 tabindex="-1">Trace</h1><p role="status">${text}</p>`.text;
  }

  say(text: string): void {
    this.#context.root.insertAdjacentHTML(
      "afterbegin",
      html`<p class="notice" role="status">${text}</p>`.text,
    );
  }

  fail(error: unknown): void {
    this.#context.root.insertAdjacentHTML("beforeend", failure(error).text);
  }
}

const states = {
  complete: ["good", "complete"],
  pending: ["", "goes on"],
  broken: ["bad", "its beginning is not in the index"],
} as const;

function head(trace: Trace, names: AnswerNames): Markup {
  const { trace_info: info, trace_id } = trace;
  const [kind, state] = states[info.trace_state];
  return html`<h1 tabindex="-1">Trace <span class="pill ${kind}">${state}</span></h1>
${trace_id !== null && html`<p class="page-tools">${shareButton(tracePath(hexOf(trace_id) ?? ""))}</p>`}
${traceSummary(trace)}
<div data-part="actions"></div>
${facts(
  Object.entries({
    Started: timeOf(trace.start_utime),
    Messages: html`${count(info.messages)}${info.pending_messages > 0 && `, ${count(info.pending_messages)} on their way`}`,
    ...amounts(trace),
    "First transaction": trace_id !== null && hashText(trace_id, transactionPath),
    ...firstMessage(trace, names),
    "Masterchain blocks": Number(trace.mc_seqno_start) > 0 && blocks(trace),
  }),
)}
${trace.is_incomplete && html`<p class="notice">${trace.warning ?? "The trace is too large to be shown as a whole."}</p>`}`;
}

/** The message that began the trace. One from an account was sent by no transaction: the system, or the developer of a devnet. */
function firstMessage({ external_hash, trace, transactions }: Trace, names: AnswerNames) {
  const source = transactions?.[trace?.tx_hash ?? ""]?.in_msg?.source ?? undefined;
  if (external_hash === null) return {};
  if (source === undefined) return { "External message": hashText(external_hash) };
  return { "First message": html`${hashText(external_hash)} from ${accountLink(source, names)}` };
}

function amounts(trace: Trace) {
  if (!trace.transactions) return {};
  const { collected, forwarded, sent } = totalsOf(trace);
  return {
    Fees: html`${ton(collected + forwarded)} <span class="aside">(${ton(collected)} of transactions, ${ton(forwarded)} of forwarding)</span>`,
    "Value sent": html`${ton(sent)} <span class="aside">by the first transaction</span>`,
  };
}

function blocks({ mc_seqno_start: start, mc_seqno_end: end }: Trace): Markup {
  const link = (seqno: string) => blockLink({ workchain: -1, shard: masterchainShard, seqno: Number(seqno) });
  return start === end ? link(start) : html`${link(start)} to ${link(end)}`;
}

/** Statuses of messages that have no trace. */
const statusesWithoutTrace: ReadonlySet<MessageStatus["status"]> = new Set(["dropped", "expired", "pending"]);

/** Status text of a message without a trace; `undefined` if it is unknown. */
export function messageStatusText(status: MessageStatus): Markup | undefined {
  if (!statusesWithoutTrace.has(status.status) || status.text === undefined) return undefined;
  const other = status.status === "expired" ? (status.replaced_by ?? undefined) : undefined;
  return html`${status.text}.${other && html` ${hashText(other.transaction.hash, transactionPath)}`}`;
}
