import { jetton } from "./common.js";
import { action } from "./declare.js";
import { type AddressText, account, amount, text, unsent } from "./member.js";

const units = amount("Units of tgBTC.").in("amount");
const master = jetton.in("asset").rare();
const pubkey = text("The key, hex.");

// Fallback actions have fewer members. The object `extra` has texts that TON Center keeps in columns for addresses.

const mint = {
  source: account("Account that minted.").in("source"),
  destination: account("Receiver.").in("destination"),
  amount: units,
  asset: master,
  bitcoin_tx_id: text("The transaction on Bitcoin.").in(".btc_txid"),
  destination_wallet: account("Jetton wallet of the receiver.").in("destination_secondary").rare(),
  teleport: unsent<AddressText>("source_secondary").rare(),
};

const burn = {
  source: account("Account that burned.").in("source"),
  source_wallet: account("Its jetton wallet.").in("source_secondary").rare(),
  destination: account("The peg-out contract.").in("destination"),
  amount: units,
  asset: master,
};

const newKey = {
  source: account("Account that published the key.").in("source").rare(),
  pubkey,
  coordinator: account("The coordinator.").in("destination"),
  pegout: account("The peg-out contract.").in("destination_secondary"),
  amount: units,
  asset: master,
  timestamp: unsent<bigint>("value").rare(),
};

export const tgbtcActions = {
  tgbtc_mint: action([61, undefined, "extra"], mint),
  tgbtc_mint_fallback: action([62, undefined, "extra"], mint),
  tgbtc_burn: action([63], burn),
  tgbtc_burn_fallback: action([64], burn),
  tgbtc_new_key: action([65, undefined, "extra"], newKey),
  tgbtc_new_key_fallback: action([66, undefined, "extra"], newKey),
  tgbtc_dkg_log_fallback: action([67, undefined, "extra"], {
    coordinator: account("The coordinator.").in("source"),
    pubkey,
    timestamp: amount("Unix time of the key.").in("value"),
  }),
};
