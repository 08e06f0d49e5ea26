import type { Matcher } from "../matcher.js";
import { rowKind } from "../row-kind.js";
import {
  burnEvent,
  keyGenerationEvent,
  mintEvent,
  newKeyEvent,
  readBurnEvent,
  readKeyGenerationEvent,
  readMintEvent,
  readNewKeyEvent,
} from "./tgbtc-events.js";

// Events of tgBTC whose other messages no matcher found: rows have the event's fields. Action ids depend on block
// names, and the reference names these blocks as if the rest had been found.

const tgbtcMintFallbackKind = rowKind("tgbtc_mint_fallback", { name: "tgbtc_mint" });

export const tgbtcMintFallback: Matcher = {
  name: "tgbtc mint fallback",
  pattern: mintEvent,
  build: ({ anchor }) => tgbtcMintFallbackKind.build({ ...readMintEvent(anchor), source: anchor.account }),
};

const tgbtcBurnFallbackKind = rowKind("tgbtc_burn_fallback", { name: "tgbtc_burn" });

export const tgbtcBurnFallback: Matcher = {
  name: "tgbtc burn fallback",
  pattern: burnEvent,
  build: ({ anchor }) => tgbtcBurnFallbackKind.build(readBurnEvent(anchor)),
};

const tgbtcNewKeyFallbackKind = rowKind("tgbtc_new_key_fallback", { name: "tgbtc_new_key" });

export const tgbtcNewKeyFallback: Matcher = {
  name: "tgbtc new key fallback",
  pattern: newKeyEvent,
  build: ({ anchor }) =>
    tgbtcNewKeyFallbackKind.build({ ...readNewKeyEvent(anchor), coordinator: anchor.account }),
};

const tgbtcKeyGenerationFallbackKind = rowKind("tgbtc_dkg_log_fallback", { name: "tgbtc_dkg_log" });

export const tgbtcKeyGenerationFallback: Matcher = {
  name: "tgbtc dkg log fallback",
  pattern: keyGenerationEvent,
  build: ({ anchor }) =>
    tgbtcKeyGenerationFallbackKind.build({ ...readKeyGenerationEvent(anchor), coordinator: anchor.account }),
};
