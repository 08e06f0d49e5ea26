import type { JsonText } from "../../../../shared/methods/json-text.js";
import { withinBudget } from "../../../../shared/ton/bodies/budget.js";
import type { TypedValue } from "../../../../shared/ton/bodies/declared.js";
import { opcodeOf } from "../../../../shared/ton/bodies/payload.js";
import { readTypedWithin } from "../../../../shared/ton/bodies/read.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { anySlice, Dictionary, uintKey } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { Slice } from "../../../../shared/ton/cells/slice.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import { listText, objectText } from "../answer-text.js";
import { type OrderBody, presentOrderBody } from "./order-body.js";
import { OrderWriter } from "./order-writer.js";

/** `send_message`, `update_multisig_param` */
const actionOpcodes: ReadonlySet<number> = new Set([0xf1381e5b, 0x1d0cfbd3]);

type Action = TypedValue<"Action">;
type SendMessage = Extract<Action, { $type: "send_message" }>;
type UpdateParams = Extract<Action, { $type: "update_multisig_param" }>;

/**
 * The actions of an order, `Hashmap 8 ^Action`, as JSON text in key order; `null` if unreadable. Adds their addresses
 * to `addresses`.
 */
export function presentOrderActions<Item>(boc: Uint8Array, addresses: Set<string>): JsonText<Item[]> | null {
  return (
    ifReadable(() => {
      const order = parseBocRoot(boc);
      const writer = new OrderWriter(order, addresses);
      const actions = Dictionary.loadDirect(order, uintKey(8), anySlice).values();
      return listText<Item>(Array.from(actions, (leaf) => presentLeaf(leaf, writer).text));
    }) ?? null
  );
}

function presentLeaf(leaf: Slice, writer: OrderWriter): JsonText<object> {
  if (leaf.remainingRefs === 0) return failed("failed to load ref cell");
  const cell = leaf.loadRef();
  return withinBudget(() => presentAction(cell, writer)) ?? failed("the order is too large");
}

function presentAction(cell: Cell, writer: OrderWriter): JsonText<object> {
  const action = readTypedWithin(writer.budget, "Action", cell);
  if (action?.$type === "send_message") return presentMessage(action, writer);
  if (action && hasAddresses(action)) return presentUpdate(action, writer);
  const opcode = opcodeOf(cell);
  return failed(
    opcode === undefined || actionOpcodes.has(opcode)
      ? "failed to load order action from cell"
      : `unknown order action type: ${opcode}`,
  );
}

/** Whether every signer and proposer is an account. */
function hasAddresses({ signers, proposers }: UpdateParams): boolean {
  return ![...signers.values(), ...proposers.values()].includes(undefined);
}

function presentMessage(
  { mode, message: { info, body } }: SendMessage,
  writer: OrderWriter,
): JsonText<object> {
  const isInternal = info.$type === "int_msg_info";
  return actionText(presentOrderBody(body, writer), {
    destination: isInternal ? writer.address(info.dest) : null,
    value: isInternal ? String(info.value.grams) : "0",
    body_raw: writer.boc(body),
    send_mode: Number(mode),
  });
}

function presentUpdate(
  { threshold, signers, proposers }: UpdateParams,
  writer: OrderWriter,
): JsonText<object> {
  const members = {
    new_threshold: Number(threshold),
    new_signers: Array.from(signers.values(), (address) => writer.address(address)),
    new_proposers: Array.from(proposers.values(), (address) => writer.address(address)),
  };
  return actionText({ type: "multisig_update_params", members }, unsent);
}

type Sent = { destination: string | null; value: string | null; body_raw: string | null; send_mode: number };
const unsent: Sent = { destination: null, value: null, body_raw: null, send_mode: 0 };

function failed(reason: string): JsonText<object> {
  return actionText(undefined, unsent, `failed to parse order action: ${reason}`);
}

function actionText(
  body: OrderBody | undefined,
  { destination, value, body_raw, send_mode }: Sent,
  error: string | null = null,
): JsonText<object> {
  return objectText({
    destination,
    value,
    body_raw,
    parsed: body !== undefined,
    error,
    parsed_body: body ? objectText(body.members) : null,
    parsed_body_type: body?.type ?? "unknown",
    send_mode,
  });
}
