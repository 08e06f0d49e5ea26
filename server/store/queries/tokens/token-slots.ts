import SQL, { join, raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { isAccount } from "../../sql/keys.js";
import { type Fragment, plannedOnce } from "../../sql/where.js";
import { tokenEventParties } from "../../tables/token-events.js";
import { besideRows } from "../cluster/beside-rows.js";
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

const eachParty = tokenEventParties.flatMap(({ table, parties }) =>
  parties.map((party) => ({ event: raw(table.name), party })),
);

/** Deletes the slots in which an account has no token event up to a masterchain block, but has some after it. */
export function deleteTokenSlots(later: Later): Fragment {
  const { seqno } = later;
  const changed = eachParty.map(
    ({ event, party }) =>
      SQL`select ${raw(party)} from ${event} where ${isLater("tx_lt", "mc_seqno", later)}`,
  );
  const earlier = eachParty.map(
    ({ event, party }) => SQL`not exists (
      select from ${event}
      where ${isAccount(party, raw("a.account"))} and tx_lt >= s.from_lt and tx_lt < s.to_lt and mc_seqno <= ${seqno})`,
  );
  return SQL`
    delete from token_slots a using slots s
    where s.from_lt = a.from_lt and s.from_lt >= ${firstSlotAfter(seqno)}
      and a.account in (${join(changed, " union ")}) and ${join(earlier, " and ")}`;
}
