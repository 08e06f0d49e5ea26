import { readFileSync } from "node:fs";
import { Address } from "../../shared/values/address.js";
import { SetupError } from "../errors.js";
import type { MarketplaceName } from "../store/queries/tokens/marketplaces.js";
import type { TokenFlags } from "../store/queries/tokens/metadata.js";

/** The operator's files about tokens. */
type OperatorFiles = { metadataOverrides: string | undefined; spamList: string | undefined };

/** Entries of these files; `marketplaces` is undefined without a file that could name them. */
export type OperatorEntries = {
  flags: readonly TokenFlags[];
  marketplaces: readonly MarketplaceName[] | undefined;
};

/** Without `isScam` the file does not say whether the token is a scam. */
type OverridingFlags = Omit<TokenFlags, "isScam"> & { isScam: boolean | undefined };

/** The operator's data for tokens and marketplaces. */
type Overrides = { flags: readonly OverridingFlags[]; marketplaces: readonly MarketplaceName[] };

/** Addresses of a spam list. They are read and stored in one step. */
const maxSpam = 100_000;

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

/** Reads the file of `metadataOverrides`. Throws a SetupError with the first mistake. */
export function readOverrides(path: string): Overrides {
  const mistake = (text: string) =>
    new SetupError(`the metadata overrides in ${path} cannot be used: ${text}`);
  const objectIn = (value: unknown): Record<string, unknown> => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw mistake("it must be an object by addresses, whose values are objects");
    return value as Record<string, unknown>;
  };
  const content = readWith(mistake, () => JSON.parse(readFileSync(path, "utf8")));
  const entries = Object.entries(objectIn(content)).map(([text, value]) => {
    const address = Address.read(text)?.address.toRawUpper();
    if (address === undefined) throw mistake(`${JSON.stringify(text)} is not an address`);
    const { is_nsfw = false, is_scam, marketplace, ...fields } = objectIn(value);
    if (typeof is_nsfw !== "boolean" || (is_scam !== undefined && typeof is_scam !== "boolean"))
      throw mistake(`is_nsfw and is_scam of ${text} must be true or false`);
    if (marketplace !== undefined && typeof marketplace !== "string")
      throw mistake(`marketplace of ${text} must be a name`);
    return { address, isNsfw: is_nsfw, isScam: is_scam, fields, marketplace };
  });
  const addresses = new Set(entries.map(({ address }) => address));
  if (addresses.size < entries.length) throw mistake("it has an address twice");
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

/** Reads the file of `spamList`, each raw address once. Throws a SetupError with the first mistake. */
export function readSpamList(path: string): readonly string[] {
  const mistake = (text: string) => new SetupError(`the spam list in ${path} cannot be used: ${text}`);
  const lines = readWith(mistake, () => readFileSync(path, "utf8").split("\n"));
  const addresses = new Set<string>();
  for (const [at, line] of lines.entries()) {
    const [text = ""] = line.trim().split(/\s/, 1);
    if (text === "" || text.startsWith("#")) continue;
    const address = Address.read(text)?.address.toRawUpper();
    if (address === undefined)
      throw mistake(`line ${at + 1} does not begin with an address: ${JSON.stringify(text.slice(0, 80))}`);
    addresses.add(address);
    if (addresses.size > maxSpam) throw mistake(`it has more than ${maxSpam} addresses`);
  }
  return [...addresses];
}

function readWith<Content>(mistake: (text: string) => SetupError, read: () => Content): Content {
  try {
    return read();
  } catch (cause) {
    throw mistake((cause as Error).message);
  }
}
