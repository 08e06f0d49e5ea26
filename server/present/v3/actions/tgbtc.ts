import { nullable, type Presenters, type StoredAction } from "./stored-action.js";

export const tgbtcPresenters: Presenters<
  | "tgbtc_mint"
  | "tgbtc_mint_fallback"
  | "tgbtc_burn"
  | "tgbtc_burn_fallback"
  | "tgbtc_new_key"
  | "tgbtc_new_key_fallback"
  | "tgbtc_dkg_log_fallback"
> = {
  tgbtc_mint: mint,
  tgbtc_mint_fallback: mint,
  tgbtc_burn: burn,
  tgbtc_burn_fallback: burn,
  tgbtc_new_key: newKey,
  tgbtc_new_key_fallback: newKey,
  tgbtc_dkg_log_fallback: ({ extra, ...row }) =>
    nullable({ coordinator: row.source, pubkey: extra.pubkey, timestamp: row.value }),
};

function mint({ extra, ...row }: StoredAction<"tgbtc_mint">) {
  return nullable({
    source: row.source,
    destination: row.destination,
    amount: row.amount,
    asset: row.asset,
    bitcoin_tx_id: extra.btc_txid,
    destination_wallet: row.destination_secondary,
  });
}

function burn(row: StoredAction<"tgbtc_burn">) {
  return nullable({
    source: row.source,
    source_wallet: row.source_secondary,
    destination: row.destination,
    amount: row.amount,
    asset: row.asset,
  });
}

function newKey({ extra, ...row }: StoredAction<"tgbtc_new_key">) {
  return nullable({
    source: row.source,
    pubkey: extra.pubkey,
    coordinator: row.destination,
    pegout: row.destination_secondary,
    amount: row.amount,
    asset: row.asset,
  });
}
