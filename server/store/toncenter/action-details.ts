// The details of actions, which TON Center stores in a composite column for each family.

import { actionDeclarations } from "../../../shared/actions/all.js";
import type { Members } from "../../../shared/actions/member.js";

/**
 * The composite columns with the members that differ in ours: amounts, which are numbers of any size there and texts here,
 * and members that are composite values, or lists, themselves.
 */
const composites = new Map<string, Members>();
for (const { placed } of Object.values(actionDeclarations))
  for (const { member, paths } of placed)
    for (const [column, name] of paths)
      if (column.endsWith("_data"))
        composites.set(column, {
          ...composites.get(column),
          ...(name === undefined ? member.settings.parts : { [name]: member }),
        });

/** The members of a composite value that differ in ours, as arguments of `jsonb_build_object`. Lists are never absent. */
function differing(value: string, members: Members): string[] {
  return Object.entries(members).flatMap(
    ([
      name,
      {
        settings: { parts, isList, isAmount },
      },
    ]) => {
      const member = `(${value}).${name}`;
      if (isList && parts) {
        const each = Object.entries(parts).map(
          ([part, { settings }]) => `'${part}', e.${part}${settings.isAmount ? "::text" : ""}`,
        );
        return `'${name}', (select coalesce(jsonb_agg(jsonb_build_object(${each.join(", ")}) order by e.ordinality), '[]')
        from unnest(${member}) with ordinality e)`;
      }
      if (isList) return `'${name}', coalesce(to_jsonb(${member}${isAmount ? "::text[]" : ""}), '[]')`;
      if (parts) return `'${name}', ${asObject(member, parts)}`;
      return isAmount ? `'${name}', ${member}::text` : [];
    },
  );
}

/** A composite value as an object. */
function asObject(value: string, members: Members): string {
  return `coalesce(to_jsonb(${value}), '{}') || jsonb_build_object(${differing(value, members).join(", ")})`;
}

/** A column that their versions before gasless requests do not have. */
const theirExtra = "nullif(to_jsonb(x) -> 'extra', 'null')";

/** SQL of the gasless request that row `x` of actions follows from, as text; null without one. */
export const parentGaslessAction = `(${theirExtra} ->> 'parent_gasless_action')`;

/** Their column, and texts that they store in columns of addresses. */
const extra = `jsonb_build_object('extra', coalesce(${theirExtra}, '{}') || jsonb_build_object(
  'btc_txid', case when x.type in ('tgbtc_mint', 'tgbtc_mint_fallback') then x.asset_secondary::text end,
  'pubkey', case
    when x.type in ('tgbtc_new_key', 'tgbtc_new_key_fallback') then x.source_secondary::text
    when x.type = 'tgbtc_dkg_log_fallback' then x.asset::text end))`;

/** SQL of the details of row `x` of actions as ours has them: an object of objects, without what is null. */
export const storedDetails = `jsonb_strip_nulls(${[
  extra,
  ...[...composites].map(
    ([name, members]) =>
      `case when x.${name} is distinct from null
        then jsonb_build_object('${name}', ${asObject(`x.${name}`, members)}) else '{}' end`,
  ),
].join("\n  || ")})`;
