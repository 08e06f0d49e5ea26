import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import type { Matcher } from "../matcher.js";
import type { AddressText } from "../trace.js";
import {
  type BurnEvent,
  burnEvent,
  type KeyGenerationEvent,
  keyGenerationEvent,
  type MintEvent,
  mintEvent,
  type NewKeyEvent,
  newKeyEvent,
  readBurnEvent,
  readKeyGenerationEvent,
  readMintEvent,
  readNewKeyEvent,
} from "./tgbtc-events.js";

// Events of tgBTC whose other messages no matcher found: rows have the event's fields. Action ids depend on block
// names, and the reference names these blocks as if the rest had been found.

/** An event's fields, and the contract that emitted it. */
type Emitted<Event> = Event & { readonly by: AddressText };

const tgbtcMintFallbackKind = new BlockKind("tgbtc_mint", {
  type: "tgbtc_mint_fallback",
  row: ({ by, recipient, amount, txid }: Emitted<MintEvent>) => ({
    source: by,
    destination: recipient,
    amount,
    extra: { btc_txid: txid },
  }),
});

export const tgbtcMintFallback: Matcher = {
  name: "tgbtc mint fallback",
  pattern: mintEvent,
  build: ({ anchor }) => tgbtcMintFallbackKind.build(emitted(anchor, readMintEvent)),
};

const tgbtcBurnFallbackKind = new BlockKind("tgbtc_burn", {
  type: "tgbtc_burn_fallback",
  row: ({ sender, pegout, amount }: BurnEvent) => ({ source: sender, destination: pegout, amount }),
});

export const tgbtcBurnFallback: Matcher = {
  name: "tgbtc burn fallback",
  pattern: burnEvent,
  build: ({ anchor }) => tgbtcBurnFallbackKind.build(readBurnEvent(anchor)),
};

const tgbtcNewKeyFallbackKind = new BlockKind("tgbtc_new_key", {
  type: "tgbtc_new_key_fallback",
  row: ({ by, pegout, amount, pubkey }: Emitted<NewKeyEvent>) => ({
    destination: by,
    destination_secondary: pegout,
    amount,
    extra: { pubkey },
  }),
});

export const tgbtcNewKeyFallback: Matcher = {
  name: "tgbtc new key fallback",
  pattern: newKeyEvent,
  build: ({ anchor }) => tgbtcNewKeyFallbackKind.build(emitted(anchor, readNewKeyEvent)),
};

const tgbtcKeyGenerationFallbackKind = new BlockKind("tgbtc_dkg_log", {
  type: "tgbtc_dkg_log_fallback",
  row: ({ by, pubkey, timestamp }: Emitted<KeyGenerationEvent>) => ({
    source: by,
    value: timestamp,
    extra: { pubkey },
  }),
});

export const tgbtcKeyGenerationFallback: Matcher = {
  name: "tgbtc dkg log fallback",
  pattern: keyGenerationEvent,
  build: ({ anchor }) => tgbtcKeyGenerationFallbackKind.build(emitted(anchor, readKeyGenerationEvent)),
};

function emitted<Event>(event: Block, read: (event: Block) => Event): Emitted<Event> {
  return { ...read(event), by: event.account };
}
