import type { PlainCell } from "../../../../client/values/bag-of-cells.js";
import { tgWalletParam } from "../../../../shared/values/tg-wallet.js";
import { CellReader } from "./cell-reader.js";
import { entriesOf, signedKey } from "./dictionary.js";
import * as l from "./layouts.js";
import * as n from "./networks.js";
import type { Row } from "./values.js";

/** A known parameter of the configuration. */
type Known = { readonly name: string; readonly read?: (reader: CellReader) => Row[] };

const known: Readonly<Record<number, Known>> = {
  [tgWalletParam]: { name: "Code of Telegram's wallet", read: n.codeOf },
  0: { name: "Configuration contract", read: n.accountOf },
  1: { name: "Elector", read: n.accountOf },
  2: { name: "Minter of extra currencies", read: n.accountOf },
  3: { name: "Collector of fees", read: n.accountOf },
  4: { name: "Root of domain names", read: n.accountOf },
  5: { name: "Burning of fees", read: l.burning },
  6: { name: "Prices of minting extra currencies", read: l.minting },
  7: { name: "Extra currencies that are to exist", read: l.currencies },
  8: { name: "Version and capabilities of the network", read: n.networkVersion },
  9: { name: "Parameters that must exist", read: l.parameterNumbers },
  10: { name: "Parameters that need a critical vote", read: l.parameterNumbers },
  11: { name: "Votes on proposals", read: l.voting },
  12: { name: "Workchains", read: n.workchains },
  13: { name: "Prices of complaints", read: l.complaintPrices },
  14: { name: "Rewards for blocks", read: l.blockRewards },
  15: { name: "Times of elections", read: l.electionTimes },
  16: { name: "Numbers of validators", read: l.validatorCounts },
  17: { name: "Limits of stakes", read: l.stakeLimits },
  18: { name: "Prices of storage", read: n.storagePrices },
  19: { name: "Id of the network", read: n.networkId },
  20: { name: "Gas in the masterchain", read: l.gasPrices },
  21: { name: "Gas in the basechain", read: l.gasPrices },
  22: { name: "Limits of masterchain blocks", read: l.blockLimits },
  23: { name: "Limits of basechain blocks", read: l.blockLimits },
  24: { name: "Prices of messages of the masterchain", read: l.messagePrices },
  25: { name: "Prices of messages in the basechain", read: l.messagePrices },
  28: { name: "Sessions of validators", read: l.catchain },
  29: { name: "Consensus", read: l.consensus },
  30: { name: "New consensus", read: l.newConsensus },
  31: { name: "Fundamental contracts, which pay no fees", read: l.fundamental },
  32: { name: "Previous validators", read: n.validatorSet },
  33: { name: "Previous temporary validators", read: n.validatorSet },
  34: { name: "Current validators", read: n.validatorSet },
  35: { name: "Current temporary validators", read: n.validatorSet },
  36: { name: "Next validators", read: n.validatorSet },
  37: { name: "Next temporary validators", read: n.validatorSet },
  39: { name: "Temporary keys of validators" },
  40: { name: "Fines of validators", read: l.punishments },
  43: { name: "Limits of sizes", read: l.sizeLimits },
  44: { name: "Suspended accounts", read: l.suspended },
  45: { name: "Precompiled contracts", read: l.precompiled },
  46: { name: "Registry of validators", read: l.registry },
  71: { name: "Bridge to Ethereum" },
  72: { name: "Bridge to BNB Smart Chain" },
  73: { name: "Bridge to Polygon" },
  79: { name: "Token bridge of Ethereum" },
  81: { name: "Token bridge of BNB Smart Chain" },
  82: { name: "Token bridge of Polygon" },
};

/** The name of a parameter in words; `undefined` if its meaning is not known. */
export const parameterName = (number: number): string | undefined => known[number]?.name;

/** The value of a parameter in words; `undefined` if it is unknown, or not of the form that this code knows. */
export function readParameter(number: number, cell: PlainCell): Row[] | undefined {
  const read = known[number]?.read;
  if (!read) return undefined;
  try {
    const reader = new CellReader(cell);
    const rows = read(reader);
    return reader.isAtEnd ? rows : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Parameters by number, in ascending order. */
export function readConfiguration(root: PlainCell): Map<number, PlainCell> {
  const entries = entriesOf(new CellReader(root), 32, { isRoot: true });
  const cells = entries.map(({ key, value }): [number, PlainCell] => [signedKey(key), value.ref()]);
  return new Map(cells.sort(([a], [b]) => a - b));
}
