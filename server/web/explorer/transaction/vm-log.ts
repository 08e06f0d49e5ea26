import { html } from "../../pages/markup.js";
import { fillOnOpen } from "../parts/on-open.js";
import { exitText } from "../parts/outcome.js";
import type { ViewContext } from "../view.js";

/** Limit on the characters shown of a log; a run of a million steps logs hundreds of megabytes. */
const maxLength = 400_000;

/** Loads the VM log when the user opens `place`. */
export function growLog(
  place: HTMLDetailsElement,
  { hash, contract }: { readonly hash: string; readonly contract: readonly string[] },
  { call }: Pick<ViewContext, "call">,
): void {
  const body = document.createElement("div");
  place.append(body);
  fillOnOpen(place, body, "Running the transaction again…", async () => {
    const { vm_log: log, exit_code: code } = await call("devnet.transactionLog", { hash });
    const shown = log.slice(0, maxLength);
    return html`<p class="hint">${code === undefined ? "The compute phase was skipped." : exitText({ code, contract })}${log.length > maxLength && `, the beginning of ${log.length} characters`}</p>
        ${log !== "" && html`<pre class="code log" tabindex="0" aria-label="Log of the machine"><code>${shown}</code></pre>`}`;
  });
}
