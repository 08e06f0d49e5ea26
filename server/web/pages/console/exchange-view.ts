import { highlight, indent, jsonIn } from "../json-text.js";
import { html, type Markup } from "../markup.js";
import type { Exchange } from "./session.js";

/** Longer answers are cut until the user asks for the rest. */
const shownLines = 200;
const shownLength = 50_000;
/** Longer text is not highlighted, for speed. */
const colouredLength = 200_000;

/** The outcome of an exchange and its raw answer. */
export function exchangeView(exchange: Exchange, id: string): Markup {
  if (exchange.failure !== undefined)
    return html`${statusLine(exchange)}<p class="failure">No answer: ${exchange.failure}.</p>`;
  if (!exchange.reply) return html`<p class="status" role="status"><span class="pill">Waiting</span></p>`;
  return html`${statusLine(exchange)}
    ${exchange.batch && batchSummary(exchange)}
    ${answerView(indent(exchange.reply.text), id, "beginning")}`;
}

/** The answer's text, or its beginning with a button to show the rest. */
export function answerView(text: string, id: string, extent: "beginning" | "all"): Markup {
  const shown = extent === "all" ? text : beginningOf(text);
  return html`<div class="answer" id="${id}">
    <button type="button" class="quiet copy" data-action="copy-answer" data-exchange="${id}">Copy</button>
    <pre class="code" tabindex="0"><code>${shown.length > colouredLength ? shown : highlight(shown)}</code></pre>
    ${shown.length < text.length && html`<p class="cut">Truncated. <button type="button" data-action="show-all" data-exchange="${id}">Show all ${sizeText(text)}</button></p>`}
  </div>`;
}

function beginningOf(text: string): string {
  return text.split("\n", shownLines).join("\n").slice(0, shownLength);
}

function statusLine(exchange: Exchange): Markup {
  const outcome = outcomeOf(exchange);
  const { reply, ms, transport } = exchange;
  const facts = [
    reply?.status,
    ms !== undefined && `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`,
    reply && sizeText(reply.text),
    transport === "http" ? "HTTP" : "WebSocket",
    reply?.retryAfter !== undefined && `retry in ${reply.retryAfter} s`,
  ];
  const shown = facts.filter((fact) => fact !== undefined && fact !== false);
  return html`<p class="status" role="status"><span class="pill ${outcome.kind}">${outcome.text}</span> ${shown.join(" · ")}</p>`;
}

/** The outcome of each call of a batch. */
function batchSummary({ calls, reply }: Exchange): Markup {
  const answers = jsonIn(reply?.text ?? "");
  if (!Array.isArray(answers)) return html``;
  const rows = calls.map(({ method }, index) => {
    const error = errorOf(answers[index]);
    return html`<li><span class="pill ${error ? "bad" : "good"}">${error ? error.code : "OK"}</span>
      <code>${method}</code>${error && html` <span class="about">${error.message}</span>`}</li>`;
  });
  return html`<ol class="outcomes">${rows}</ol>`;
}

type Outcome = { kind: "good" | "bad" | "open"; text: string };

/** A short label for the outcome of an exchange. */
export function outcomeOf({ reply, failure }: Exchange): Outcome {
  if (failure !== undefined) return { kind: "bad", text: "No answer" };
  if (!reply) return { kind: "open", text: "Waiting" };
  const answer = jsonIn(reply.text);
  const errors = [answer]
    .flat()
    .map(errorOf)
    .filter((error) => error !== undefined);
  if (errors.length === 0) return { kind: "good", text: "OK" };
  if (Array.isArray(answer)) return { kind: "bad", text: `${errors.length} of ${answer.length} failed` };
  return { kind: "bad", text: `Error ${errors[0]!.code}` };
}

type RpcError = { code: number | string; message: string };

function errorOf(answer: unknown): RpcError | undefined {
  if (typeof answer !== "object" || answer === null) return { code: "?", message: "not an answer" };
  return (answer as { error?: RpcError }).error;
}

function sizeText(text: string): string {
  const bytes = new Blob([text]).size;
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
}
