import { readFileSync } from "node:fs";
import { Address } from "../../shared/values/address.js";
import { SetupError } from "../errors.js";

/** They are read and stored in one step. */
const maxAddresses = 100_000;

/** Reads the file of `spamList`, each raw address once. Throws a SetupError with the first mistake. */
export function readSpamList(path: string): readonly string[] {
  const addresses = new Set<string>();
  for (const [at, line] of readLines(path).entries()) {
    const [text = ""] = line.trim().split(/\s/, 1);
    if (text === "" || text.startsWith("#")) continue;
    const address = Address.read(text)?.address.toRawUpper();
    if (address === undefined)
      throw mistake(
        path,
        `line ${at + 1} does not begin with an address: ${JSON.stringify(text.slice(0, 80))}`,
      );
    addresses.add(address);
    if (addresses.size > maxAddresses) throw mistake(path, `it has more than ${maxAddresses} addresses`);
  }
  return [...addresses];
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (cause) {
    throw mistake(path, (cause as Error).message);
  }
}

function mistake(path: string, text: string): SetupError {
  return new SetupError(`the spam list in ${path} cannot be used: ${text}`);
}
