import { html, type Markup } from "../../pages/markup.js";
import type { Subject } from "../parts/claim.js";
import { downloadFile } from "../parts/download.js";
import { facts } from "../parts/facts.js";
import { listTable } from "../parts/table.js";
import { nameOfValue } from "./claims.js";
import { evidenceText } from "./evidence.js";
import type { Outcome } from "./outcome.js";
import type { PanelContent } from "./panel.js";
import { proofPath } from "./proof-path.js";
import type { Session } from "./session.js";
import { valueText } from "./value-text.js";

const titles: Readonly<Record<Outcome["kind"], string>> = {
  proven: "Proven",
  contradicted: "CONTRADICTED",
  failed: "Not proven",
};

/** The proof of values, the contradiction, or the reason why there is none. */
export function proofContent(
  outcome: Outcome,
  { session, retry }: { readonly session: Session; retry(): void },
): PanelContent {
  const title = titles[outcome.kind];
  if (outcome.kind === "failed")
    return {
      title,
      body: html`<p>${outcome.reason}</p><p class="hint">The values on the page are what the service says. They may be right.</p>
        <p><button type="button" data-act="retry">Try again</button></p>`,
      acts: { retry },
    };
  const save = () =>
    downloadFile(
      `${outcome.kind}-${outcome.claim.subject[0]}.json`,
      new Blob(
        [
          evidenceText(outcome, {
            service: location.origin,
            page: location.href,
            start: session.status.start,
          }),
        ],
        { type: "application/json" },
      ),
    );
  return {
    title,
    body: html`${outcome.kind === "proven" ? provenValues(outcome) : contradiction(outcome)}
      ${pathOf(outcome, session)}
      <h3>Not proven</h3><p>${limits[outcome.claim.subject[0]]}</p>
      <p><button type="button" data-act="save">Save the evidence</button> <span class="aside">the values, and all bytes that were asked and answered</span></p>`,
    acts: { save },
  };
}

function provenValues({ claim }: Extract<Outcome, { kind: "proven" }>): Markup {
  return html`<p>Your browser has computed that the network has agreed to these values.</p>
    ${facts(Object.entries(claim.values).map(([name, value]) => [nameOfValue(name), valueText(name, String(value ?? ""))]))}`;
}

function contradiction(outcome: Extract<Outcome, { kind: "contradicted" }>): Markup {
  const { differences, error } = outcome;
  return html`<p class="failure" role="alert">${error ? "The service's own proof does not hold: its answer was forged, or is damaged." : "The page shows other values than those that the network has agreed to."} Do not rely on this service.</p>
    ${error && html`<p><code>${error.message.slice(0, 600)}</code></p>`}
    ${
      differences.length > 0 &&
      listTable(
        "Differences",
        ["Value", "Claimed by the service", "Proven"],
        differences.map(({ name, claimed, proven }) => [
          nameOfValue(name),
          valueText(name, claimed),
          valueText(name, proven),
        ]),
      )
    }`;
}

function pathOf(
  { proved }: { readonly proved?: Extract<Outcome, { kind: "proven" }>["proved"] },
  { links, status }: Session,
) {
  if (!proved) return undefined;
  return html`<h3>Path of the proof</h3>${proofPath({ steps: proved.result.steps, head: proved.head }, links.backFrom(proved.head), status)}`;
}

const limits: Readonly<Record<Subject[0], string>> = {
  account:
    "Names, tokens, prices and words for what happened are from the index of this service. The account may have changed since the block of the proof.",
  transaction:
    "Names of operations, decoded bodies, traces and words for what happened are from the index of this service, or of this page.",
  block:
    "Nothing shows that the list of transactions on this page is complete. Each of them has a proof itself.",
  shards: "Nothing shows that a newer block has the same shards.",
  config: "The words for a value are how this page reads its cells. The cells are proven.",
};
