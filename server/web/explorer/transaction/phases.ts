import type { Transaction } from "../../../../client/api.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { count, ton } from "../parts/amount.js";
import { facts } from "../parts/facts.js";
import { hashText } from "../parts/hash.js";
import { exitOfRun, exitText, skipReason } from "../parts/outcome.js";

type Description = Transaction["description"];
type Phase = {
  readonly name: string;
  readonly note?: Content;
  readonly kind?: "good" | "bad" | "";
  readonly content: Markup;
};

const amount = (nanotons: string | undefined) => (nanotons === undefined ? undefined : ton(nanotons));
const yesIf = (value: boolean | undefined) => (value ? "yes" : undefined);

/** A transaction's phases in order, with their costs. `contract`: interfaces of the account. */
export function phases(description: Description, contract: readonly string[]): Markup {
  const all = [
    storage(description),
    credit(description),
    compute(description, contract),
    action(description),
    bounce(description),
  ];
  const inOrder = description.credit_first ? [all[1], all[0], ...all.slice(2)] : all;
  const shown = inOrder.filter((phase) => phase !== undefined);
  if (shown.length === 0) return html`<p class="empty">This type of transaction has no phases.</p>`;
  return html`<ol class="phases dense">${shown.map(
    ({ name, note, kind = "", content }) =>
      html`<li><h3>${name}${note !== undefined && html` <span class="pill ${kind}">${note}</span>`}</h3>${content}</li>`,
  )}</ol>`;
}

function storage({ storage_ph: phase }: Description): Phase | undefined {
  if (!phase) return undefined;
  const content = facts(
    Object.entries({
      Fee: amount(phase.storage_fees_collected) ?? "none",
      "Still due": amount(phase.storage_fees_due),
      Account: phase.status_change === "unchanged" ? undefined : phase.status_change,
    }),
  );
  return { name: "Storage", content };
}

function credit({ credit_ph: phase }: Description): Phase | undefined {
  if (!phase) return undefined;
  const currencies = Object.entries(phase.credit_extra_currencies ?? {}).slice(0, 20);
  const content = facts(
    Object.entries({
      Received: amount(phase.credit) ?? "nothing",
      "Extra currencies":
        currencies.length > 0 && currencies.map(([id, units]) => `${count(units)} of ${id} `),
      "Debt paid": amount(phase.due_fees_collected),
    }),
  );
  return { name: "Credit", content };
}

function compute({ compute_ph: phase }: Description, contract: readonly string[]): Phase | undefined {
  if (!phase) return undefined;
  if (phase.skipped) return { name: "Compute", note: "skipped", content: html`<p>${skipReason(phase)}</p>` };
  const content = facts(
    Object.entries({
      Fee: ton(phase.gas_fees),
      Gas: html`${count(phase.gas_used)}${phase.gas_limit !== "0" && ` of ${count(phase.gas_limit)}`}${phase.gas_credit !== undefined && html` <span class="aside">and ${count(phase.gas_credit)} before the message is accepted</span>`}`,
      Steps: count(phase.vm_steps),
      Argument: phase.exit_arg !== undefined && count(phase.exit_arg),
      "Account deployed": yesIf(phase.account_activated),
      "State from the message": yesIf(phase.msg_state_used),
    }),
  );
  return {
    name: "Compute",
    note: exitOfRun(phase, contract),
    kind: phase.success ? "good" : "bad",
    content,
  };
}

function action({ action: phase }: Description): Phase | undefined {
  if (!phase) return undefined;
  const content = facts(
    Object.entries({
      Fee: amount(phase.total_action_fees) ?? "none",
      "Forwarding fees": amount(phase.total_fwd_fees) ?? "none",
      Actions: html`${count(phase.tot_actions)}${phase.skipped_actions > 0 && `, ${count(phase.skipped_actions)} of them skipped`}`,
      "Failed action": phase.result_arg !== undefined && `number ${count(phase.result_arg)}, counted from 0`,
      "Messages sent": html`${count(phase.msgs_created)} <span class="aside">${count(phase.tot_msg_size.cells)} cells, ${count(phase.tot_msg_size.bits)} bits</span>`,
      "Too little balance": yesIf(phase.no_funds),
      "List of actions": phase.valid ? hashText(phase.action_list_hash) : "not valid",
      Account: phase.status_change === "unchanged" ? undefined : phase.status_change,
    }),
  );
  return {
    name: "Action",
    note: phase.success ? "success" : exitText({ code: phase.result_code, phase: "action" }),
    kind: phase.success ? "good" : "bad",
    content,
  };
}

const bounceOutcomes = {
  ok: "returned",
  nofunds: "its value does not pay for the return",
  negfunds: "nothing is left of its value to return it",
} as const;

function bounce({ bounce: phase }: Description): Phase | undefined {
  if (!phase) return undefined;
  const content = facts(
    Object.entries({
      Fee: amount(phase.msg_fees),
      "Forwarding fee": amount(phase.fwd_fees ?? phase.req_fwd_fees),
      Message: phase.msg_size && `${count(phase.msg_size.cells)} cells, ${count(phase.msg_size.bits)} bits`,
    }),
  );
  return { name: "Bounce", note: bounceOutcomes[phase.type] ?? phase.type, kind: "bad", content };
}
