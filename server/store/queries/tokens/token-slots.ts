import SQL, { join } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { type Fragment, plannedOnce } from "../../sql/where.js";
import { tokenEventParties } from "../../tables/token-events.js";
import { besideRows } from "../cluster/beside-rows.js";
import type { RowFinder } from "../cluster/divided-clauses.js";
import { gatheredTokenSlots } from "../cluster/gathered-directories.js";
import { deleteEmptied } from "../slots/emptied-slots.js";
import { type Later, type Slot, slotColumns, slotsOfAccounts } from "../slots/slots.js";

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

const sources = tokenEventParties.flatMap(({ table: { name }, parties }) =>
  parties.map((party) => ({ name, party })),
);

/** Deletes the slots in which an account has no token event up to a masterchain block, but has some after it. */
export function deleteTokenSlots(later: Later, rowWith: RowFinder): Fragment {
  return deleteEmptied("token_slots", later, { sources, rowWith });
}
