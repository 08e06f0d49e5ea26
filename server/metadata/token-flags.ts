import type { TokenFlags } from "../store/queries/tokens/metadata.js";
import { type MarketplaceName, type OverridingFlags, readOverrides } from "./overrides.js";
import { readSpamList } from "./spam-list.js";

/** The operator's files about tokens. */
type OperatorFiles = { metadataOverrides: string | undefined; spamList: string | undefined };

/** Entries of these files; `marketplaces` is undefined without a file that could name them. */
export type OperatorEntries = {
  flags: readonly TokenFlags[];
  marketplaces: readonly MarketplaceName[] | undefined;
};

/** Reads the files; `undefined` if there are none. Throws a SetupError with the first mistake. */
export function readOperatorFiles({
  metadataOverrides,
  spamList,
}: OperatorFiles): OperatorEntries | undefined {
  if (metadataOverrides === undefined && spamList === undefined) return undefined;
  const overrides = metadataOverrides === undefined ? undefined : readOverrides(metadataOverrides);
  const spam = spamList === undefined ? [] : readSpamList(spamList);
  return { flags: mergeFlags(overrides?.flags ?? [], spam), marketplaces: overrides?.marketplaces };
}

/** An override that has `is_scam` wins over the list. */
export function mergeFlags(overrides: readonly OverridingFlags[], spam: readonly string[]): TokenFlags[] {
  const listed = new Set(spam);
  const merged = overrides.map(({ isScam, ...flags }) => ({
    ...flags,
    isScam: isScam ?? listed.has(flags.address),
  }));
  for (const { address } of overrides) listed.delete(address);
  return [...merged, ...[...listed].map((address) => ({ address, isNsfw: false, isScam: true, fields: {} }))];
}
