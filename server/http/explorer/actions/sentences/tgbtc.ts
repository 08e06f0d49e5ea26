import type { ActionDetails } from "../../../../../shared/schema/v3-actions.js";
import { jetton, jettonNamed, type Phrase, type Sentences, say, when, who } from "../phrase.js";

/** Fallback actions do not state the master. */
function bitcoin(amount: string | null, master: string | null) {
  return master ? jetton(amount, master) : jettonNamed("tgBTC", amount);
}

function mint({ destination, amount, asset, bitcoin_tx_id }: ActionDetails["tgbtc_mint"]): Phrase {
  return say`${bitcoin(amount, asset)} were minted for ${who(destination)}${when(bitcoin_tx_id, (id) => say`, for transaction ${id.slice(0, 64)} of Bitcoin`)}`;
}

function burn({ source, amount, asset }: ActionDetails["tgbtc_burn"]): Phrase {
  return say`${who(source)} burned ${bitcoin(amount, asset)} to be paid on Bitcoin`;
}

function newKey({ source, coordinator, pubkey }: ActionDetails["tgbtc_new_key"]): Phrase {
  return say`${who(source, "Signers of tgBTC")} told ${who(coordinator, "the coordinator")} a new key${when(pubkey, (key) => say`, ${key.slice(0, 16)}…`)}`;
}

export const tgbtcSentences = {
  tgbtc_mint: mint,
  tgbtc_mint_fallback: mint,
  tgbtc_burn: burn,
  tgbtc_burn_fallback: burn,
  tgbtc_new_key: newKey,
  tgbtc_new_key_fallback: newKey,
  tgbtc_dkg_log_fallback: ({ coordinator, pubkey }) =>
    say`${who(coordinator, "The coordinator of tgBTC")} stated that its signers made a key${when(pubkey, (key) => say`, ${key.slice(0, 16)}…`)}`,
} satisfies Partial<Sentences>;
