import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import { log } from "../pattern.js";

// Logs of tgBTC contracts.

export const mintEvent = log(0x77a80ef3);
export const burnEvent = log(0xca444ce6);
export const newKeyEvent = log(0x27756729);
export const keyGenerationEvent = log(0x453443a6);

export type MintEvent = ReturnType<typeof readMintEvent>;

export function readMintEvent(event: Block) {
  const { amount, recipient_address, bitcoin_txid } = fieldsOf("tgbtc_mint_event", event);
  return { amount, recipient: addressText(recipient_address), txid: bitcoinTxid(bitcoin_txid) };
}

export type BurnEvent = ReturnType<typeof readBurnEvent>;

/** Old coordinators log fewer fields: unreadable ones are undefined. */
export function readBurnEvent(event: Block) {
  const { amount, sender, pegout } = fieldsOf("tgbtc_burn_start", event);
  return { amount, sender: addressText(sender), pegout: addressText(pegout) };
}

export type NewKeyEvent = ReturnType<typeof readNewKeyEvent>;

export function readNewKeyEvent(event: Block) {
  const { amount, new_internal_pubkey, pegout_address } = fieldsOf("tgbtc_new_key_event", event);
  return { amount, pubkey: keyText(new_internal_pubkey), pegout: addressText(pegout_address) };
}

export type KeyGenerationEvent = ReturnType<typeof readKeyGenerationEvent>;

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
