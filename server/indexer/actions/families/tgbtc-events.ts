import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import { log } from "../pattern.js";

// Logs of tgBTC contracts.

export const mintEvent = log(0x77a80ef3);
export const burnEvent = log(0xca444ce6);
export const newKeyEvent = log(0x27756729);
export const keyGenerationEvent = log(0x453443a6);

export function readMintEvent(event: Block) {
  const { amount, recipient_address, bitcoin_txid } = fieldsOf("tgbtc_mint_event", event);
  return {
    amount,
    destination: addressText(recipient_address),
    bitcoin_tx_id: bitcoinTxid(bitcoin_txid),
  };
}

/** Old coordinators log fewer fields: unreadable ones are undefined. */
export function readBurnEvent(event: Block) {
  const { amount, sender, pegout } = fieldsOf("tgbtc_burn_start", event);
  return { amount, source: addressText(sender), destination: addressText(pegout) };
}

export function readNewKeyEvent(event: Block) {
  const { amount, new_internal_pubkey, pegout_address } = fieldsOf("tgbtc_new_key_event", event);
  return { amount, pubkey: keyText(new_internal_pubkey), pegout: addressText(pegout_address) };
}

/** The signers generated a key together. */
export function readKeyGenerationEvent(event: Block) {
  const { timestamp, internal_pubkey } = fieldsOf("tgbtc_dkg_completed_event", event);
  return { timestamp, pubkey: keyText(internal_pubkey) };
}

/** Bitcoin shows transaction ids with the last byte first. */
function bitcoinTxid(txid: bigint): string {
  return Buffer.from(txid.toString(16).padStart(64, "0"), "hex").reverse().toString("hex");
}

/** Without leading zeros, as in the reference. */
function keyText(key: bigint): string {
  return key.toString(16);
}
