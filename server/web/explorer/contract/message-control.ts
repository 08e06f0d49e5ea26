import type { DevnetFaucetResult, EmulatedTrace, RawExtMessageInfo } from "../../../../client/api.js";
import { toNano } from "../../../../client/values/amounts.js";
import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { encode } from "../../../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../../shared/ton/tlb/message.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { type Content, html } from "../../pages/markup.js";
import { type Control, checkField, type Values } from "../devnet/control-form.js";
import { accountField, amountField, receipt, sentResult, wanted } from "../devnet/controls.js";
import { ton } from "../parts/amount.js";
import { outcomeOf } from "../parts/outcome.js";
import { whyRunLink } from "../parts/why-link.js";
import { type Contract, exitWords } from "./method-control.js";
import { TypedInputs } from "./typed-inputs.js";

type Body = ReturnType<Contract["coder"]["messages"]>[number];

type MessageOptions = {
  readonly id: string;
  readonly accounts?: string | undefined;
  readonly list: "incoming" | "external";
  /** Whether it is sent. Otherwise it is emulated. */
  readonly isSent: boolean;
  /** The account that sends it, if the form is left as it is. */
  readonly sender?: string | undefined;
};

/** A form that sends a message to the contract, or emulates it. */
export function messageControl(
  contract: Contract,
  message: Body,
  { id, accounts, list, isSent, sender }: MessageOptions,
): Control {
  const { coder } = contract;
  const inputs = new TypedInputs(coder, accounts);
  const typed = inputs.record(
    coder.fieldsOf(message.type) ?? [
      { name: "value", type: message.type, description: "", fallback: undefined },
    ],
  );
  const bodyOf = (values: Values) => coder.writeBody(list, message.name, typed.read(values));
  const to = contract.address;
  const isInternal = list === "incoming";
  const emulation = (values: Values) => {
    const envelope = isInternal ? internalOf(values) : undefined;
    return { boc: messageTo(to, bodyOf(values), envelope), ignore_chksig: true };
  };
  return {
    id,
    fields: [
      typed.markup,
      ...(isInternal
        ? [
            accountField("from", "From", sender),
            amountField("amount", "0.1"),
            checkField("bounce", "Bounces if it fails"),
          ]
        : []),
    ],
    button: isSent ? "Send" : "Emulate",
    request: (values) => {
      if (!isSent)
        return { method: "v3.emulate.trace", params: { ...emulation(values), include_hint: true } };
      const body = bodyOf(values);
      const envelope = isInternal ? internalOf(values) : undefined;
      if (!envelope) return { method: "sendBocReturnHash", params: { boc: messageTo(to, body, undefined) } };
      const { from, value, bounce } = envelope;
      const params = { from: from.toFriendly(), to, value: value.toString(), body: textOf(body), bounce };
      return { method: "devnet.impersonate", params };
    },
    resultOf: (result, values) => {
      if (!isSent) return emulated(contract, result, () => whyRunLink("message", emulation(values)));
      return isInternal ? receipt(result as DevnetFaucetResult) : sentResult(result as RawExtMessageInfo);
    },
  };
}

type Envelope = { readonly from: Address; readonly value: bigint; readonly bounce: boolean };

function internalOf(values: Values): Envelope {
  const from = Address.read(wanted(values, "from", "a sender"))?.address;
  if (!from) throw new TypeError("The sender is no address.");
  return {
    from,
    value: toNano(wanted(values, "amount", "an amount")),
    bounce: values["bounce"] !== undefined,
  };
}

/** A message from another account, or from outside. */
function messageTo(to: string, body: Cell, envelope: Envelope | undefined): string {
  const dest = Address.read(to)!.address;
  const info = envelope
    ? ({
        kind: "internal",
        ihrDisabled: true,
        bounce: envelope.bounce,
        bounced: false,
        src: envelope.from,
        dest,
        value: onlyCoins(envelope.value),
        extraFlags: 0n,
        fwdFee: 0n,
        createdLt: 0n,
        createdAt: 0,
      } as const)
    : ({ kind: "externalIn", src: undefined, dest, importFee: 0n } as const);
  return textOf(encode(Message, composeMessage({ info, body })));
}

function textOf(cell: Cell): string {
  return bytesToBase64(serializeBoc(cell));
}

/**
 * What would happen: the contract's own outcome, what can be done about a failure, and the size and the fees of the trace. `why`:
 * opens a failure.
 */
function emulated(
  { coder, kinds }: Contract,
  { trace, transactions, is_incomplete, outcome }: EmulatedTrace,
  why: () => Content,
): Content {
  const all = Object.values(transactions);
  const first = trace.tx_hash === undefined ? undefined : transactions[trace.tx_hash];
  if (!first) return "Nothing would happen.";
  const { kind, text } = outcomeOf(first, kinds);
  const compute = first.description.compute_ph;
  const failed = compute && !compute.skipped && !compute.success ? compute.exit_code : undefined;
  const fees = all.reduce((sum, { total_fees }) => sum + BigInt(total_fees), 0n);
  return html`<p class="outcome"><span class="pill ${kind}">${failed === undefined ? text : `exit ${failed}`}</span>
    ${failed !== undefined && exitWords(coder, failed, kinds)} ${kind === "bad" && why()}</p>
    ${outcome?.failure?.hint && html`<p>${outcome.failure.hint}</p>`}
    <p>${all.length} ${all.length === 1 ? "transaction" : "transactions"}${is_incomplete && " and more"}, fees ${ton(fees)}</p>`;
}
