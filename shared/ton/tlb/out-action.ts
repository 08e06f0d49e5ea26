// out_list_empty$_ = OutList 0;
// out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
// out_list_node$_ prev:^Cell action:OutAction = OutListNode;
// action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
// action_set_code#ad4de08e new_code:^Cell = OutAction;
// action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection = OutAction;
// libref_hash$0 lib_hash:bits256 = LibRef;
// libref_ref$1 library:^Cell = LibRef;
// action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction;
import { Cell } from "../cells/cell.js";
import { cellOf } from "./cell-of.js";
import { type Decoded, decode, encode, TlbError } from "./codec.js";
import { CurrencyCollection } from "./currency-collection.js";
import { MessageRelaxed } from "./message.js";
import { bits256, cellRef, uint, uint8 } from "./primitives.js";
import { choice, record } from "./record.js";

const LibRef = choice("LibRef", {
  hash: record("libref_hash$0", { libHash: bits256 }),
  ref: record("libref_ref$1", { library: cellRef }),
});

export type OutAction = Decoded<typeof OutAction>;
export const OutAction = choice("OutAction", {
  sendMsg: record("action_send_msg#0ec3c86d", { mode: uint8, outMsg: cellOf(MessageRelaxed) }),
  setCode: record("action_set_code#ad4de08e", { newCode: cellRef }),
  reserveCurrency: record("action_reserve_currency#36e6b809", { mode: uint8, currency: CurrencyCollection }),
  changeLibrary: record("action_change_library#26fa1dd4", { mode: uint(7), libref: LibRef }),
});

const OutListNode = record("out_list_node$_", { prev: cellRef, action: OutAction });

/** The node's limit. A longer list fails the action phase. */
const maxActions = 255;

/** Decodes the actions of register c5, in execution order. Throws `TlbError` for more than 255. */
export function decodeOutList(list: Cell): OutAction[] {
  const actions: OutAction[] = [];
  for (let cell = list; cell.bits > 0 || cell.refCount > 0; ) {
    if (actions.length === maxActions) throw new TlbError(`OutList has more than ${maxActions} actions`);
    const { prev, action } = decode(OutListNode, cell);
    actions.push(action);
    cell = prev;
  }
  return actions.reverse();
}

/** The inverse of `decodeOutList`. */
export function encodeOutList(actions: readonly OutAction[]): Cell {
  return actions.reduce(appendAction, Cell.empty);
}

/** A list with one more action. */
export function appendAction(prev: Cell, action: OutAction): Cell {
  return encode(OutListNode, { prev, action });
}
