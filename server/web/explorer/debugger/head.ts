import type { DebugRun } from "../../../../client/api.js";
import { unrun } from "../../../../shared/values/failed-phase.js";
import { html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { count } from "../parts/amount.js";
import { blockLink } from "../parts/block-id.js";
import { facts } from "../parts/facts.js";
import { hashText, transactionPath } from "../parts/hash.js";
import type { Names } from "../parts/names.js";
import { exitText, skipReason } from "../parts/outcome.js";
import { listTable } from "../parts/table.js";
import { claimed, claimedText } from "../parts/text.js";

type Proof = DebugRun["proof"];

/** What became of a run, why, what can be done, and how sure the run is. */
export function headMarkup(run: DebugRun, names: Names, isProven = false): Markup {
  const { outcome, account, transaction } = run;
  const kind = outcome.success ? (outcome.skipped_reason === null ? "good" : "none") : "bad";
  return html`<h1 tabindex="-1">${outcome.success ? "Every step" : "Why it failed"} <span class="pill ${kind}">${endText(outcome)}</span></h1>
<p class="debug-sentence">${sentenceOf(outcome)}</p>
${outcome.hint !== null && html`<p class="debug-hint">${claimedText(outcome.hint, 600)}</p>`}
<p class="debug-of">${addressLink(account, { names })} ${transaction !== null && hashText(transaction, transactionPath)}</p>
${proofMarkup(run.proof)}
${isProven && provenMarkup}`;
}

/** Why names and sources are missing. */
const provenMarkup = html`<p class="debug-proven"><span class="pill good">proven</span> This browser has proven what the run began with, and ran it itself. Words, names and
sources of the service are not shown: nothing proves them.</p>`;

function endText({ success, exit_code, phase, skipped_reason }: DebugRun["outcome"]): string {
  if (skipped_reason !== null) return "not run";
  if (success) return "success";
  if (phase === "action" && exit_code === 0) return "actions left out";
  return `${phase === "action" ? "action" : "exit"} ${exit_code}`;
}

function sentenceOf(outcome: DebugRun["outcome"]): string {
  if (outcome.sentence !== null) return claimedText(outcome.sentence, 600);
  const { success, skipped_reason, exit_code, phase } = outcome;
  if (skipped_reason !== null) {
    const lead = success ? `The message was ${unrun}` : "The contract did not run";
    return `${lead}: ${skipReason({ skipped: true, reason: skipped_reason })}.`;
  }
  if (success) return "It succeeded.";
  if (phase === "action" && exit_code === 0) return "It left out actions that failed.";
  return `The ${phase ?? "compute"} phase ended with ${exitText({ code: exit_code ?? 0 })}.`;
}

const levels: Readonly<Record<Proof["level"], readonly [kind: string, badge: string, meaning: string]>> = {
  exact: [
    "good",
    "exact",
    "This run has the same hash as the transaction of the chain, so every step is the network's.",
  ],
  state: ["", "same state", "This run ends in the state that the chain has, but the transactions differ."],
  none: [
    "",
    "not on the chain",
    "The chain has no such transaction, so that there is nothing to compare this run with.",
  ],
  different: [
    "bad",
    "different",
    "This run ends in another state than the chain's: its steps may not be the network's.",
  ],
};

/** The badge of the proof, which opens what the run began with and how it differs. */
function proofMarkup({ level, inputs, differences, executor_version, network_version }: Proof): Markup {
  const [kind, badge, meaning] = levels[level];
  return html`<details class="fold debug-proof"><summary><span class="pill ${kind}">${badge}</span> ${meaning}</summary>
${facts(
  Object.entries({
    "Block of the transaction": inputs.block !== null && blockMarkup(inputs.block),
    "State of the account": html`after ${blockMarkup(inputs.before)}`,
    "Configuration and libraries": blockMarkup(inputs.master),
    "Run before it": inputs.earlier > 0 && `${count(inputs.earlier)} earlier transactions of the account`,
    "Run from its first transaction": inputs.from_birth > 0 && `${count(inputs.from_birth)} transactions`,
    "Rules of the network": `version ${network_version}, the executor knows ${executor_version}`,
  }),
)}
${differences.length > 0 && differenceTable(differences)}</details>`;
}

function blockMarkup(block: Proof["inputs"]["before"]): Markup {
  return html`${blockLink(block)} ${hashText(block.root_hash)}`;
}

function differenceTable(differences: Proof["differences"]): Markup {
  return listTable(
    "Differences",
    ["Member", "The chain's", "This run's"],
    differences.map(({ field, chain, run }) => [
      field.replaceAll("_", " "),
      html`<code class="whole">${claimed(chain ?? "none", 200)}</code>`,
      html`<code class="whole">${claimed(run ?? "none", 200)}</code>`,
    ]),
  );
}
