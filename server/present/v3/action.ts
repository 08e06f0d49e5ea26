import type { Action, ActionDetails, ActionType } from "../../../shared/schema/v3-actions.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { basicPresenters } from "./actions/basic.js";
import { cocoonPresenters } from "./actions/cocoon.js";
import { coffeePresenters } from "./actions/coffee.js";
import { dnsPresenters } from "./actions/dns.js";
import { jettonPresenters } from "./actions/jettons.js";
import { layerzeroPresenters } from "./actions/layerzero.js";
import { lendingPresenters } from "./actions/lending.js";
import { liquidityPresenters } from "./actions/liquidity.js";
import { nftPresenters } from "./actions/nfts.js";
import { stakingPresenters } from "./actions/staking.js";
import { type AnyStoredAction, type Presenters, storedAction } from "./actions/stored-action.js";
import { tgbtcPresenters } from "./actions/tgbtc.js";
import { walletPresenters } from "./actions/wallets.js";

/** The excluded type is a name for transfers with extra currencies. */
type StoredType = Exclude<ActionType, "extra_currency_transfer">;

const presenters: Presenters<StoredType> = {
  ...basicPresenters,
  ...jettonPresenters,
  ...nftPresenters,
  ...dnsPresenters,
  ...liquidityPresenters,
  ...coffeePresenters,
  ...stakingPresenters,
  ...walletPresenters,
  ...lendingPresenters,
  ...tgbtcPresenters,
  ...layerzeroPresenters,
  ...cocoonPresenters,
};

type AnyPresenter = (row: AnyStoredAction) => ActionDetails[StoredType];

type ActionOptions = {
  /** Whether to include the participating accounts. */
  accounts: boolean;
};

/** An action in answers, without its transactions. */
export function presentAction(row: ActionRow, { accounts }: ActionOptions): Action {
  const stored = storedAction(row);
  // A row has the columns of its type.
  const present = presenters[row.type as StoredType] as AnyPresenter | undefined;
  const details = present ? present(stored) : { error: `unsupported action type: '${row.type}'` };
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
    ...(accounts && stored.accounts.length > 0 && { accounts: [...stored.accounts] }),
    finality: "finalized" as const,
  };
  // The details match the type.
  return shown as Action;
}

function shownType({ type, value_extra_currencies: currencies }: ActionRow): string {
  const mayHaveCurrencies = type === "ton_transfer" || type === "call_contract";
  const hasCurrencies = currencies !== undefined && Object.keys(currencies).length > 0;
  return mayHaveCurrencies && hasCurrencies ? "extra_currency_transfer" : type;
}

const addressText = /^-?\d+:[0-9A-F]{64}$/;

/** The raw addresses in an action, for the address book. */
export function addressesOfAction({ details, accounts = [] }: Action): string[] {
  return [...accounts, ...addressesWithin(details)];
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
