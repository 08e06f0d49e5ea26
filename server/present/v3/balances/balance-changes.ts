import type { z } from "zod";
import type { balanceChanges } from "../../../../shared/schema/v3/actions.js";
import type { BalanceChange } from "../../../store/queries/accounts/balance-changes.js";

/** Changes by account. Amounts of TON are JSON numbers, as in TON Center. */
export function presentBalanceChanges(found: readonly BalanceChange[]): z.output<typeof balanceChanges> {
  const shown: z.output<typeof balanceChanges> = { changes: {}, fees: {}, jettons: {} };
  for (const { account, jetton, amount, fees } of found) {
    if (jetton !== null) {
      shown.jettons[account] = { ...shown.jettons[account], [jetton]: String(amount) };
      continue;
    }
    shown.changes[account] = Number(amount - fees);
    shown.fees[account] = Number(fees);
  }
  return shown;
}
