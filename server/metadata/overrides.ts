import { readFileSync } from "node:fs";
import { Address } from "../../shared/values/address.js";
import { SetupError } from "../errors.js";
import type { MarketplaceName } from "../store/queries/tokens/marketplaces.js";
import type { TokenFlags } from "../store/queries/tokens/metadata.js";

export type { MarketplaceName };

/** Without `isScam` the file does not say whether the token is a scam. */
export type OverridingFlags = Omit<TokenFlags, "isScam"> & { isScam: boolean | undefined };

/** The operator's data for tokens and marketplaces. */
type Overrides = { flags: readonly OverridingFlags[]; marketplaces: readonly MarketplaceName[] };

/** Reads the file of `metadataOverrides`. Throws a SetupError with the first mistake. */
export function readOverrides(path: string): Overrides {
  const entries = Object.entries(objectOf(path, readJson(path))).map(([text, value]) => {
    const address = Address.read(text)?.address.toRawUpper();
    if (address === undefined) throw mistake(path, `${JSON.stringify(text)} is not an address`);
    const { is_nsfw = false, is_scam, marketplace, ...fields } = objectOf(path, value);
    if (typeof is_nsfw !== "boolean" || (is_scam !== undefined && typeof is_scam !== "boolean"))
      throw mistake(path, `is_nsfw and is_scam of ${text} must be true or false`);
    if (marketplace !== undefined && typeof marketplace !== "string")
      throw mistake(path, `marketplace of ${text} must be a name`);
    return { address, isNsfw: is_nsfw, isScam: is_scam, fields, marketplace };
  });
  const addresses = new Set(entries.map(({ address }) => address));
  if (addresses.size < entries.length) throw mistake(path, "it has an address twice");
  return {
    flags: entries.flatMap(({ marketplace, ...flags }) =>
      marketplace !== undefined && saysNothing(flags) ? [] : [flags],
    ),
    marketplaces: entries.flatMap(({ address, marketplace: name }) =>
      name === undefined ? [] : [{ address, name }],
    ),
  };
}

function saysNothing({ isNsfw, isScam, fields }: OverridingFlags): boolean {
  return !isNsfw && isScam === undefined && Object.keys(fields).length === 0;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw mistake(path, (cause as Error).message);
  }
}

function objectOf(path: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw mistake(path, "it must be an object by addresses, whose values are objects");
  return value as Record<string, unknown>;
}

function mistake(path: string, text: string): SetupError {
  return new SetupError(`the metadata overrides in ${path} cannot be used: ${text}`);
}
