import { z } from "zod";
import { account, amount, jetton, text } from "./fields.js";

const units = amount("Units of tgBTC.");

const mint = z.object({
  source: account("Account that minted."),
  destination: account("Receiver."),
  amount: units,
  asset: jetton,
  bitcoin_tx_id: text("The transaction on Bitcoin."),
  destination_wallet: account("Jetton wallet of the receiver."),
});

const burn = z.object({
  source: account("Account that burned."),
  source_wallet: account("Its jetton wallet."),
  destination: account("The peg-out contract."),
  amount: units,
  asset: jetton,
});

const newKey = z.object({
  source: account("Account that published the key."),
  pubkey: text("The key, hex."),
  coordinator: account("The coordinator."),
  pegout: account("The peg-out contract."),
  amount: units,
  asset: jetton,
});

export const tgbtcActions = {
  tgbtc_mint: mint,
  tgbtc_mint_fallback: mint,
  tgbtc_burn: burn,
  tgbtc_burn_fallback: burn,
  tgbtc_new_key: newKey,
  tgbtc_new_key_fallback: newKey,
  tgbtc_dkg_log_fallback: z.object({
    coordinator: account("The coordinator."),
    pubkey: text("The key, hex."),
    timestamp: amount("Unix time of the key."),
  }),
};
