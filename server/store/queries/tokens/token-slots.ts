import SQL, { join, raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { isAccount } from "../../sql/keys.js";
import { type Fragment, plannedOnce } from "../../sql/where.js";
import { tokenEventParties } from "../../tables/token-events.js";
import { besideRows } from "../cluster/beside-rows.js";
import type { RowFinder } from "../cluster/divided-clauses.js";
import { gatheredTokenSlots } from "../cluster/gathered-directories.js";
import {
  firstSlotAfter,
  isLater,
  type Later,
  type Slot,
  slotColumns,
  slotsOfAccounts,
} from "../slots/slots.js";

/** The slots that have a token event of one of the accounts of each list, ascending: primary keys. */
export async function slotsOfEvents(
  queries: Queries,
  lists: readonly (readonly Uint8Array[])[],
): Promise<Slot[]> {
  const ofList = (accounts: readonly Uint8Array[]) =>
    SQL`s.from_lt in (select from_lt from ${slotsOfAccounts("token_slots", accounts)})`;
  const gathered = await besideRows(queries, () => [gatheredTokenSlots(lists.flat())]);
  return gathered.query<Slot>(
    plannedOnce(SQL`
      select ${slotColumns} from slots s where ${join(lists.map(ofList), " and ")} order by s.from_lt`),
  );
}

const eachParty = tokenEventParties.flatMap(({ table: { name }, parties }) =>
  parties.map((party) => ({ name, party })),
);

/** Deletes the slots in which an account has no token event up to a masterchain block, but has some after it. */
export function deleteTokenSlots(later: Later, rowWith: RowFinder): Fragment {
  const { seqno } = later;
  const changed = eachParty.map(
    ({ name, party }) =>
      SQL`select ${raw(party)} from ${raw(name)} where ${isLater("tx_lt", "mc_seqno", later)}`,
  );
  const kept = eachParty.map(
    ({ name, party }) => SQL`
      select c.account, c.from_lt from known c ${rowWith(
        name,
        SQL`${isAccount(party, raw("c.account"))} and tx_lt >= c.from_lt and tx_lt < c.to_lt and mc_seqno <= ${seqno}`,
      )}`,
  );
  return SQL`
    with changed (account) as materialized (${join(changed, " union ")}),
    known as materialized (
      select a.account, a.from_lt, s.to_lt from token_slots a join slots s on s.from_lt = a.from_lt
      where a.from_lt >= ${firstSlotAfter(seqno)} and a.account in (select account from changed)),
    gone as materialized (select account, from_lt from known except (${join(kept, " union all ")}))
    delete from token_slots a using gone where a.account = gone.account and a.from_lt = gone.from_lt`;
}
