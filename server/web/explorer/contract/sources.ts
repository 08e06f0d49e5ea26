import type { ContractSources } from "../../../../client/api.js";
import { unseen } from "../../../../shared/values/unseen.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { fillOnOpen } from "../parts/on-open.js";
import { claimed } from "../parts/text.js";
import { vouchers } from "../parts/vouchers.js";
import type { ViewContext } from "../view.js";

export const sourcesMarkup = html`<details class="fold" data-sources><summary>Sources</summary><div></div></details>`;

/** Reads the sources of a contract when their fold is opened. */
export function growSources({ call }: ViewContext, place: HTMLElement, account: string): void {
  const fold = elementOf<HTMLDetailsElement>(place, "[data-sources]");
  fillOnOpen(fold, elementOf(fold, "div"), "Reading…", async () => {
    const { sources = [] } = await call("v3.debug.abi", { account, include_sources: true });
    return listMarkup(sources);
  });
}

function listMarkup(sources: readonly ContractSources[]): Markup {
  if (sources.length === 0) return html`<p class="empty">This service has no sources of this code.</p>`;
  return html`${sources.map(
    ({
      contract,
      trust,
      compiler,
      files,
      is_cut,
    }) => html`<p><strong>${claimed(contract, 60)}</strong> <span class="aside">${claimed(compiler, 60)}</span></p>
      <p class="hint">Sources of ${vouchers[trust] ?? claimed(trust)}, not proven: only compiling them shows that they make this code.</p>
      ${files.map(fileMarkup)}${is_cut && html`<p class="hint">More files are too long to be shown.</p>`}`,
  )}`;
}

function fileMarkup({ file, text }: ContractSources["files"][number]): Markup {
  return html`<details class="fold"><summary>${claimed(file, 100)}</summary><pre class="code" tabindex="0"><code>${readable(text)}</code></pre></details>`;
}

/** Text of others in lines, with a mark for each character that a reader would not see. */
function readable(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines.replace(unseen, (each) => (each === "\n" || each === "\t" ? each : "\ufffd"));
}
