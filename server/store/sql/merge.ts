import { memberOf } from "../../../shared/values/lookups.js";
import type { Merge, Table } from "../declare/table.js";

type Combine = Extract<Merge<string>, { readonly combine: object }>["combine"];

/** Treatment of rows whose keys are stored. */
export function onConflict(table: Table, merge: Merge<string>): string {
  const key = (table.uniqueBy || table.key).join(", ");
  if (merge === "refuse") return "";
  // The unique indexes of a table that is spread may be those of its parts.
  if (merge === "keep") return "on conflict do nothing";
  if (merge === "replace") return `on conflict (${key}) do update set ${replaced(table, {})}`;
  if ("add" in merge) {
    const sums = merge.add.map((column) => `${column} = stored.${column} + excluded.${column}`);
    const changes = merge.add.map((column) => `excluded.${column} <> 0`);
    return `on conflict (${key}) do update set ${sums.join(", ")} where ${changes.join(" or ")}`;
  }
  if ("widen" in merge) {
    const { from, to } = merge.widen;
    return `on conflict (${key}) do update
      set ${from} = least(stored.${from}, excluded.${from}), ${to} = greatest(stored.${to}, excluded.${to})
      where excluded.${from} < stored.${from} or excluded.${to} > stored.${to}`;
  }
  if ("combine" in merge) return `on conflict (${key}) do update set ${combined(table, merge.combine)}`;
  return `on conflict (${key}) do update set ${replaced(table, merge.completedBy)}
    where ${tupleOf(table, "stored", merge.newest)} <= ${tupleOf(table, "excluded", merge.newest)}`;
}

function replaced(
  { columns, key }: Table,
  completedBy: Readonly<Record<string, string | undefined>>,
): string {
  return Object.keys(columns)
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = ${replacement(column, completedBy[column])}`)
    .join(", ");
}

function combined(
  { columns, key }: Table,
  { newest, known = [], greatest = [], least = [] }: Combine,
): string {
  const mergedValue = (column: string) => {
    const [stored, own] = [`stored.${column}`, `excluded.${column}`];
    if (known.includes(column)) return `coalesce(${stored}, ${own})`;
    // Both ignore nulls.
    if (greatest.includes(column) || column === newest) return `greatest(${stored}, ${own})`;
    if (least.includes(column)) return `least(${stored}, ${own})`;
    if (newest === undefined) return stored;
    return `case when excluded.${newest} >= stored.${newest} then ${own} else ${stored} end`;
  };
  return Object.keys(columns)
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = ${mergedValue(column)}`)
    .join(", ");
}

function replacement(column: string, hash: string | undefined): string {
  if (hash === undefined) return `excluded.${column}`;
  return `case when excluded.${hash} = stored.${hash}
    then coalesce(excluded.${column}, stored.${column}) else excluded.${column} end`;
}

/** Null counts as 0. */
function tupleOf({ columns }: Table, row: string, names: readonly string[]): string {
  const values = names.map((name) =>
    memberOf(columns, name).nullable ? `coalesce(${row}.${name}, 0)` : `${row}.${name}`,
  );
  return `(${values.join(", ")})`;
}
