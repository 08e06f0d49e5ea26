/** A value of a parameter, before it is drawn. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "count"; readonly value: bigint; readonly unit?: string | undefined }
  | { readonly kind: "coins"; readonly value: bigint }
  | { readonly kind: "time" | "duration"; readonly seconds: number }
  /** A raw address. */
  | { readonly kind: "account"; readonly address: string }
  | { readonly kind: "hash"; readonly hex: string }
  /** Numbers of parameters. */
  | { readonly kind: "params"; readonly numbers: readonly number[] }
  | { readonly kind: "rows"; readonly rows: readonly Row[] }
  | {
      readonly kind: "table";
      readonly heads: readonly string[];
      readonly lines: readonly (readonly Value[])[];
    };

export type Row = readonly [label: string, value: Value];

export const text = (said: string): Value => ({ kind: "text", text: said });
export const count = (value: bigint | number, unit?: string): Value => ({
  kind: "count",
  value: BigInt(value),
  unit,
});
export const coins = (value: bigint): Value => ({ kind: "coins", value });
export const account = (address: string): Value => ({ kind: "account", address });
export const yesNo = (is: boolean): Value => text(is ? "yes" : "no");
export const table = (heads: readonly string[], lines: readonly (readonly Value[])[]): Value => ({
  kind: "table",
  heads,
  lines,
});
