import type { DebugRun } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { count, ton } from "../parts/amount.js";
import { facts } from "../parts/facts.js";
import { hashText } from "../parts/hash.js";
import type { Names } from "../parts/names.js";
import { listTable, numbers } from "../parts/table.js";
import { claimed } from "../parts/text.js";
import { bodyByAbi, decodedBody } from "../transaction/bodies.js";

const kinds: Readonly<Record<DebugRun["actions"][number]["kind"], string>> = {
  send: "message",
  set_code: "new code",
  reserve: "reserve",
  change_library: "library",
};
const outcomes: Readonly<
  Record<DebugRun["actions"][number]["outcome"], readonly [text: string, kind: string]>
> = {
  applied: ["done", "good"],
  skipped: ["left out", "bad"],
  undone: ["undone", ""],
  failed: ["failed", "bad"],
  not_reached: ["not reached", ""],
};

/** The actions that the contract ordered; those of later steps than the shown one are marked. */
export function actionsMarkup({ actions }: DebugRun, step: number, names: Names): Markup {
  if (actions.length === 0) return html`<p class="empty">The contract ordered no action.</p>`;
  return listTable(
    "Actions",
    ["#", "Action", "To", numbers("Amount"), "Mode", "Outcome", "Ordered"],
    actions.map((action, index) => {
      const [text, kind] = outcomes[action.outcome];
      const isLater = action.step !== null && action.step > step;
      return [
        String(index + 1),
        html`${kinds[action.kind]}${action.abi !== null && html` <span class="pill">${claimed(action.abi.message, 40)}</span>`}`,
        action.destination !== null && addressLink(action.destination, { names }),
        action.value !== null && ton(action.value),
        action.mode !== null &&
          html`<span class="whole">${action.mode}${action.mode_text !== null && html` <span class="aside">${claimed(action.mode_text, 200)}</span>`}</span>`,
        html`<span class="pill ${kind}">${text}</span>${action.reason !== null && html` <span class="whole">${claimed(action.reason.text, 300)}</span>`}`,
        action.step === null
          ? html`<span class="aside">step not known</span>`
          : html`<a href="#step=${action.step}&amp;tab=actions">step ${count(action.step)}</a>${isLater && html` <span class="aside">later</span>`}`,
      ];
    }),
  );
}

export function storageMarkup({ storage, balance }: DebugRun): Markup {
  const { before, after, removed, added, changes = [] } = storage;
  return html`${facts(
    Object.entries({
      Balance: html`${ton(balance.before)} → ${ton(balance.after)}`,
      Data:
        before === after
          ? html`${before === null ? "none" : hashText(before)} <span class="aside">unchanged</span>`
          : html`${before === null ? "none" : hashText(before)} → ${after === null ? "none" : hashText(after)}`,
    }),
  )}
${changes.length > 0 && changeTable(changes)}
${cellTable("Cells that are new", added)}${cellTable("Cells that are gone", removed)}`;
}

function changeTable(changes: NonNullable<DebugRun["storage"]["changes"]>): Markup {
  const shown = (value: unknown) =>
    value === undefined
      ? html`<span class="aside">none</span>`
      : html`<code class="whole">${claimed(typeof value === "string" ? value : JSON.stringify(value), 300)}</code>`;
  return listTable(
    "Members that changed",
    ["Member", "Before", "After"],
    changes.map(({ path, before, after }) => [claimed(path || "all", 100), shown(before), shown(after)]),
  );
}

function cellTable(title: string, cells: DebugRun["storage"]["added"]): Markup | false {
  return (
    cells.length > 0 &&
    html`<h3>${title}</h3>${listTable(
      title,
      ["Hash", numbers("Bits"), numbers("Refs"), "Data"],
      cells.map(({ hash, bits, refs, data }) => [
        hashText(hash),
        String(bits),
        String(refs.length),
        html`<code class="clip" title="${data}">${data}</code>`,
      ]),
    )}`
  );
}

export function messageMarkup({ message, fees, gas }: DebugRun, names: Names): Markup {
  return html`${
    message === null
      ? html`<p class="empty">No message: the network runs this contract by itself.</p>`
      : facts(
          Object.entries({
            From: message.source === null ? "outside of the chain" : addressLink(message.source, { names }),
            Value: message.value !== null && ton(message.value),
            Opcode: message.opcode !== null && html`<code>${message.opcode}</code>`,
            Bounced: message.bounced && "It came back from its receiver.",
            Hash: hashText(message.hash),
          }),
        )
  }
${message?.decoded ? decodedBody(message.decoded) : undefined}
${message?.abi ? bodyByAbi(message.abi) : undefined}
<h3>Gas and fees</h3>
${facts(
  Object.entries({
    "Gas used":
      gas !== null &&
      html`${count(gas.used)}${gas.limit !== "0" && ` of ${count(gas.limit)}`}${gas.credit !== "0" && html` <span class="aside">and ${count(gas.credit)} before the message is accepted</span>`}${gas.fixed && html` <span class="aside">fixed: the contract is precompiled, and the gas of its steps is not that of the network</span>`}`,
    ...(fees && {
      "For gas": ton(fees.gas),
      "For storage": ton(fees.storage),
      "For forwarding": ton(fees.forward),
      Other: fees.other !== "0" && ton(fees.other),
      "In all": ton(fees.total),
    }),
  }),
)}`;
}
