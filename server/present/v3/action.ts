import { actionDeclarations } from "../../../shared/actions/all.js";
import { type Declaration, sentDetails } from "../../../shared/actions/declare.js";
import { addressColumns } from "../../../shared/actions/member.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import { parseBoc } from "../../../shared/ton/cells/boc/boc.js";
import { base64ToBytes, bytesToBase64 } from "../../../shared/values/bytes.js";
import { encryptedText, readSnakeText, type Text } from "../../contracts/message-text.js";
import { rawAddressFromBytes } from "../../store/address-bytes.js";
import type { ActionRow } from "../../store/tables/actions.js";

type ActionOptions = {
  /** Whether to include the participating accounts. */
  accounts: boolean;
  /** Whether to include the action that it is part of. */
  parents?: boolean;
};

/** An action in answers, without its transactions. */
export function presentAction(row: ActionRow, { accounts, parents = false }: ActionOptions): Action {
  const declaration = declarations.get(row.type);
  const details = declaration
    ? sentDetails(declaration, storedMembers(row), { commentOf })
    : { error: `unsupported action type: '${row.type}'` };
  const shown = {
    trace_id: bytesToBase64(row.trace_id),
    action_id: bytesToBase64(row.action_id),
    start_lt: String(row.start_lt),
    end_lt: String(row.end_lt),
    start_utime: row.start_utime,
    end_utime: row.end_utime,
    trace_end_lt: String(row.trace_end_lt),
    trace_end_utime: row.trace_end_utime,
    trace_mc_seqno_end: row.trace_mc_seqno_end,
    transactions: row.tx_hashes.map(bytesToBase64),
    success: row.success,
    type: shownType(row),
    details,
    ...(row.trace_external_hash && { trace_external_hash: bytesToBase64(row.trace_external_hash) }),
    ...(row.trace_external_hash_norm && {
      trace_external_hash_norm: bytesToBase64(row.trace_external_hash_norm),
    }),
    ...(row.parent_gasless_action && {
      parent_gasless_action: bytesToBase64(row.parent_gasless_action),
    }),
    ...(parents && {
      parent_action_id: row.parent_action_id ? bytesToBase64(row.parent_action_id) : null,
    }),
    ...(accounts &&
      row.accounts.length > 0 && { accounts: row.accounts.map((each) => rawAddressFromBytes(each)) }),
    finality: "finalized" as const,
  };
  // The details match the type.
  return shown as Action;
}

const declarations: ReadonlyMap<string, Declaration> = new Map(Object.entries(actionDeclarations));

/** The columns and the objects of `data`, in the forms that answers have. */
function storedMembers(row: ActionRow): Record<string, unknown> {
  const addresses = addressColumns.map((name) => [name, row[name] && rawAddressFromBytes(row[name])]);
  return {
    ...Object.fromEntries(addresses),
    amount: row.amount?.toString(),
    value: row.value?.toString(),
    value_extra_currencies: row.value_extra_currencies,
    opcode: row.opcode === undefined ? undefined : row.opcode >>> 0,
    ...row.data,
  };
}

const none: Text = { text: undefined, isEncrypted: false };

/** The comment in a payload, which the index stores as a bag of cells. */
function commentOf(payload: string | undefined): Partial<Text> {
  const bytes = payload === undefined ? undefined : base64ToBytes(payload);
  if (!bytes) return {};
  const from = parseBoc(bytes)[0]!.parse();
  if (from.remainingBits < 32) return none;
  const opcode = from.loadUint(32);
  if (opcode !== 0 && opcode !== encryptedText) return none;
  const isEncrypted = opcode === encryptedText;
  return { text: readSnakeText(from, isEncrypted), isEncrypted };
}

function shownType({ type, value_extra_currencies: currencies }: ActionRow): string {
  const mayHaveCurrencies = type === "ton_transfer" || type === "call_contract";
  const hasCurrencies = currencies !== undefined && Object.keys(currencies).length > 0;
  return mayHaveCurrencies && hasCurrencies ? "extra_currency_transfer" : type;
}

const addressText = /^-?\d+:[0-9A-F]{64}$/;

/** The raw addresses in an action, for the address book. */
export function addressesOfAction({ details, accounts = [], abi }: Action): string[] {
  return [...accounts, ...addressesWithin(details), ...addressesWithin(abi?.fields)];
}

/** The raw addresses at any level of a value. */
export function addressesWithin(value: unknown): string[] {
  const found: string[] = [];
  collectAddresses(value, found);
  return found;
}

function collectAddresses(value: unknown, found: string[]): void {
  if (typeof value === "string") {
    if (addressText.test(value)) found.push(value);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) collectAddresses(member, found);
  }
}
