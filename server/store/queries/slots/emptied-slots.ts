import SQL, { join, raw } from "sql-template-tag";
import { isAccount } from "../../sql/keys.js";
import { all, type Fragment } from "../../sql/where.js";
import type { RowFinder } from "../cluster/divided-clauses.js";
import { firstSlotAfter, isLater, type Later } from "./slots.js";

/** A table with `tx_lt` and `mc_seqno`, and the column that names an account in its rows. */
type Source = { name: string; party: string };

type Emptied = {
  sources: readonly Source[];
  rowWith: RowFinder;
  /** Further accounts whose slots may be empty. */
  others?: Fragment;
  /** A condition of the entries that can be deleted. */
  only?: Fragment;
};

/** Deletes the entries of slots in which the sources have no row of an account up to a masterchain block, but have some after it. */
export function deleteEmptied(
  directory: "account_slots" | "token_slots",
  later: Later,
  { sources, rowWith, others, only }: Emptied,
): Fragment {
  const { seqno } = later;
  const changed = sources.map(
    ({ name, party }) =>
      SQL`select ${raw(party)} from ${raw(name)} where ${isLater("tx_lt", "mc_seqno", later)}`,
  );
  const kept = sources.map(
    ({ name, party }) => SQL`
      select c.account, c.from_lt from known c ${rowWith(
        name,
        SQL`${isAccount(party, raw("c.account"))} and tx_lt >= c.from_lt and tx_lt < c.to_lt and mc_seqno <= ${seqno}`,
      )}`,
  );
  const isKnown = all(
    SQL`a.from_lt >= ${firstSlotAfter(seqno)}`,
    SQL`a.account in (select account from changed)`,
    only,
  );
  return SQL`
    with changed (account) as materialized (${join(others ? [others, ...changed] : changed, " union ")}),
    known as materialized (
      select a.account, a.from_lt, s.to_lt from ${raw(directory)} a join slots s on s.from_lt = a.from_lt where ${isKnown}),
    gone as materialized (select account, from_lt from known except (${join(kept, " union all ")}))
    delete from ${raw(directory)} a using gone where a.account = gone.account and a.from_lt = gone.from_lt`;
}
