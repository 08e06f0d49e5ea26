import { readFileSync } from "node:fs";
import { Address } from "../../shared/values/address.js";
import { SetupError } from "../errors.js";
import type { TokenFlags } from "../store/queries/metadata.js";

/** Reads the file of `metadataOverrides`. Throws a SetupError that names the first mistake. */
export function readOverrides(path: string): TokenFlags[] {
  const entries = objectOf(path, readJson(path));
  const flags = Object.entries(entries).map(([text, value]) => {
    const address = Address.read(text)?.address.toRawUpper();
    if (address === undefined) throw mistake(path, `${JSON.stringify(text)} is not an address`);
    const { is_nsfw = false, is_scam = false, ...fields } = objectOf(path, value);
    if (typeof is_nsfw !== "boolean" || typeof is_scam !== "boolean")
      throw mistake(path, `is_nsfw and is_scam of ${text} must be true or false`);
    return { address, isNsfw: is_nsfw, isScam: is_scam, fields };
  });
  const addresses = new Set(flags.map(({ address }) => address));
  if (addresses.size < flags.length) throw mistake(path, "it has an address twice");
  return flags;
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
