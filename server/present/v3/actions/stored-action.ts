import type { ActionDetails, ActionType } from "../../../../shared/schema/v3-actions.js";
import { rawAddressFromBytes } from "../../../store/address-bytes.js";
import type {
  Columns,
  DetailsByType,
  ActionType as StoredType,
} from "../../../store/tables/action-details.js";
import type { ActionRow } from "../../../store/tables/actions.js";

/** A value as stored in JSON, where integers of any size are decimal strings. */
type InJson<T> = T extends bigint
  ? string
  : T extends readonly (infer Entry)[]
    ? readonly InJson<Entry>[]
    : T extends object
      ? { readonly [Name in keyof T]: InJson<T[Name]> }
      : T;

/** A row of a type, with addresses and amounts in wire form. */
export type StoredAction<T extends StoredType> = InJson<Columns & DetailsByType[T]> & {
  readonly success: boolean;
  readonly accounts: readonly string[];
};

/** Columns common to all types. */
export type AnyStoredAction = InJson<Columns> & Pick<StoredAction<"tick_tock">, "success" | "accounts">;

/** Converts rows of some types to action details. */
export type Presenters<T extends StoredType & ActionType> = {
  readonly [Type in T]: (row: StoredAction<Type>) => ActionDetails[Type];
};

const addressColumns = [
  "source",
  "source_secondary",
  "destination",
  "destination_secondary",
  "asset",
  "asset_secondary",
  "asset2",
  "asset2_secondary",
] as const;

/** The row in the form that presenters take. Its details depend on its type. */
export function storedAction(row: ActionRow): AnyStoredAction {
  const addresses = addressColumns.map((name) => [name, textOf(row[name])]);
  return {
    ...Object.fromEntries(addresses),
    amount: row.amount?.toString(),
    value: row.value?.toString(),
    value_extra_currencies: row.value_extra_currencies,
    opcode: row.opcode === undefined ? undefined : row.opcode >>> 0,
    success: row.success,
    accounts: row.accounts.map((account) => rawAddressFromBytes(account)),
    ...row.data,
  };
}

function textOf(address: Uint8Array | undefined): string | undefined {
  return address && rawAddressFromBytes(address);
}

/** The text of an integer as a JSON number, required for some members. */
export function numberOf(text: string | number | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

export function opcodeText(opcode: number | undefined): string | undefined {
  return opcode === undefined ? undefined : `0x${opcode.toString(16).padStart(8, "0")}`;
}

/** Members with known values. */
export function known<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

/** Each member unchanged, or `null` if unknown. */
export function nullable<T extends object>(
  members: T,
): { [Name in keyof T]: Exclude<T[Name], undefined> | OrNull<T[Name]> } {
  const entries = Object.entries(members).map(([name, value]) => [name, value ?? null]);
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> | OrNull<T[Name]> };
}

type OrNull<T> = undefined extends T ? null : never;
