import type { OpenRpcMethod } from "../../../../shared/rpc/open-rpc.js";
import { highlight, indent } from "../json-text.js";
import { html, type Markup } from "../markup.js";
import { breakable, methodPath } from "../reference.js";
import { paramsText, type RequestForm, type TypedCall } from "../request.js";
import { outcomeOf } from "./exchange-view.js";
import type { Exchange, Session } from "./session.js";
import type { StreamedEvent, Subscriptions } from "./subscriptions.js";

/** The static part of the console: tabs, API key and transport. */
export function consoleFrame({ key, transport }: Pick<Session, "key" | "transport">): Markup {
  return html`<div class="tabs">
      <div role="tablist" aria-label="Console">${tab("call", "Call")}${tab("batch", "Batch")}${tab("events", "Events")}${tab("history", "History")}</div>
      <button type="button" class="quiet toggle" data-action="toggle-console" aria-expanded="false"
        aria-controls="console-body"><span class="off-screen">Show or hide the console</span></button>
    </div>
    <div class="console-body" id="console-body">
      <div class="connection">
        <label for="api-key">API key</label>
        <input id="api-key" type="text" value="${key}" placeholder="none" autocomplete="off" spellcheck="false">
        <fieldset class="segments"><legend class="off-screen">Transport</legend>
          ${radio("http", "HTTP", transport)}${radio("websocket", "WebSocket", transport)}
        </fieldset>
      </div>
      <div data-place="panel" role="tabpanel"></div>
    </div>`;
}

function tab(name: string, title: string): Markup {
  return html`<button type="button" role="tab" data-action="tab" data-tab="${name}">${title} <span class="count" id="${name}-count"></span></button>`;
}

function radio(value: string, title: string, chosen: string): Markup {
  return html`<label><input type="radio" name="transport" value="${value}"${value === chosen && html` checked`}><span>${title}</span></label>`;
}

export function callPanel(method: OpenRpcMethod | undefined): Markup {
  if (!method)
    return html`<p class="empty">Choose a method to call it from here. Press <kbd>/</kbd> to search the list.</p>`;
  return html`<h2 class="call-name">${breakable(method.name)}</h2>
    <div data-place="request"></div>
    <div class="actions"><button type="submit" class="primary" form="call">Run</button></div>
    <div data-place="answer"></div>`;
}

export function batchPanel(calls: readonly TypedCall[]): Markup {
  if (calls.length === 0)
    return html`<p class="empty">The batch is empty. Fill in a method’s parameters and choose “Add to batch”;
      the calls are sent together, as one request.</p><div data-place="answer"></div>`;
  const rows = calls.map(
    (
      call,
      index,
    ) => html`<li><div><code class="name">${call.method}</code><code class="params">${paramsText(call)}</code></div>
      <button type="button" class="quiet" data-action="remove-from-batch" data-index="${index}" aria-label="Remove ${call.method}">×</button></li>`,
  );
  return html`<ol class="calls">${rows}</ol>
    <div class="actions">
      <button type="button" class="primary" data-action="send-batch">Send ${calls.length} ${calls.length === 1 ? "call" : "calls"}</button>
      <button type="button" class="quiet" data-action="clear-batch">Clear</button>
    </div>
    <details class="fold"><summary>Request</summary><div data-place="request"></div></details>
    <div data-place="answer"></div>`;
}

export function historyPanel(history: readonly Exchange[]): Markup {
  if (history.length === 0)
    return html`<p class="empty">Requests sent during this visit are listed here.</p>`;
  const rows = history.map((exchange, index) => {
    const { text, kind } = outcomeOf(exchange);
    const { calls, batch, at, ms } = exchange;
    return html`<li><details class="fold">
      <summary><span class="pill ${kind}">${text}</span>
        <code class="name">${batch ? `batch of ${calls.length}` : calls[0]!.method}</code>
        <span class="type">${at.toLocaleTimeString()}${ms !== undefined && ` · ${Math.round(ms)} ms`}</span></summary>
      ${code(indent(exchange.body))}${exchange.reply && code(clip(indent(exchange.reply.text)))}
      <button type="button" data-action="use-again" data-index="${index}">Use again</button>
    </details></li>`;
  });
  return html`<ol class="past">${rows}</ol>`;
}

export function requestPreview(text: string, form: RequestForm, forms: readonly RequestForm[]): Markup {
  const choices: [RequestForm, string][] = [
    ["json", "JSON-RPC"],
    ["curl", "curl"],
    ["rest", "curl, REST"],
    ["typescript", "TypeScript"],
  ];
  const shown = choices.filter(([each]) => forms.includes(each));
  return html`<div class="bar"><div class="segments" role="group" aria-label="Form of the request">
      ${shown.map(([each, title]) => html`<button type="button" data-action="request-form" data-form="${each}" aria-pressed="${String(each === form)}">${title}</button>`)}
    </div><button type="button" class="quiet copy" data-action="copy-request">Copy</button></div>
    <pre class="code" tabindex="0"><code>${form === "json" ? highlight(text) : text}</code></pre>`;
}

const code = (text: string) => html`<pre class="code" tabindex="0"><code>${highlight(text)}</code></pre>`;

/** The history shows only the beginning of long answers. */
const clip = (text: string) => (text.length > 4000 ? `${text.slice(0, 4000)}\n…` : text);

/** Open subscriptions and the newest events. */
export function eventsPanel({ open, events }: Pick<Subscriptions, "open" | "events">): Markup {
  if (open.size + events.length === 0)
    return html`<p class="empty">Events of subscriptions are listed here. Subscribe with
      <a href="${methodPath("subscribe")}">subscribe</a>; the subscription lasts as long as this page.</p>`;
  const rows = Array.from(
    open,
    ([
      id,
      kind,
    ]) => html`<li><div><code class="name">${kind}</code> <span class="type">subscription ${id}</span></div>
      <button type="button" class="quiet" data-action="unsubscribe" data-subscription="${id}" aria-label="End subscription ${id}">×</button></li>`,
  );
  return html`<ul class="calls subscriptions">${rows}</ul>
    <div class="actions"><button type="button" class="quiet" data-action="clear-events">Clear</button></div>
    <ol class="past" data-place="events" role="log">${events.map(eventItem)}</ol>`;
}

export function eventItem({ at, subscription, type, finality, text }: StreamedEvent): Markup {
  const facts = [finality, `subscription ${subscription}`, at.toLocaleTimeString()];
  return html`<li><details class="fold">
    <summary><code class="name">${type}</code>
      <span class="type">${facts.filter((fact) => fact !== undefined).join(" · ")}</span></summary>
    <pre class="code" tabindex="0"><code>${highlight(indent(text))}</code></pre>
  </details></li>`;
}
