import { isRpcError, shortMessageOf } from "../../../../client/errors.js";
import { html, type Markup } from "../../pages/markup.js";

/** Advice on errors, by code. */
const advice: Readonly<Record<string, string>> = {
  "unknown-key": "The API key below the view is not one of this service.",
  "rate-limited": "An API key, set below the view, has a limit of its own.",
  "quota-exceeded": "Another API key can be set below the view.",
  network: "Is the service still running?",
};

/** What went wrong, in a sentence. */
export function sentenceOf(error: unknown, most = 600): string {
  return shortMessageOf(error).slice(0, most);
}

/** Error message for a failed view or part. */
export function failure(error: unknown): Markup {
  const { code, exitMeaning, hint = exitMeaning } = isRpcError(error) ? error : {};
  return html`<p class="failure" role="alert">${sentenceOf(error)}${code !== undefined && html` <span class="aside">(${code})</span>`}</p>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}${code !== undefined && advice[code] !== undefined && html`<p class="hint">${advice[code]}</p>`}`;
}

/** Message in place of content that needs an index. */
export function needsIndex(what: string): Markup {
  return html`<p class="empty">${what} needs the index of this service, which is turned off.</p>`;
}
