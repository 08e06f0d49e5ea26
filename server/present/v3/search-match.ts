import type { SearchMatch } from "../../../shared/schema/v3/search.js";
import type { FoundToken } from "../../store/queries/tokens/search.js";
import type { NamedAccount } from "./answer-extras.js";

export function presentToken({ kind, address, name, symbol, wallet, is_scam }: FoundToken): SearchMatch {
  return {
    kind,
    address,
    ...(name !== null && { name }),
    ...(symbol !== null && { symbol }),
    ...(wallet !== null && { wallet }),
    is_scam,
  };
}

/** Accounts of the network with names of which a word begins with the text, in any case. */
export function matchAccounts(accounts: readonly NamedAccount[], text: string): SearchMatch[] {
  const wanted = wordsOf(text);
  if (wanted.trim() === "") return [];
  const matches = accounts.filter(({ name }) => wordsOf(name).includes(wanted));
  const isExact = ({ name }: NamedAccount) => wordsOf(name) === wanted;
  return [...matches.filter(isExact), ...matches.filter((each) => !isExact(each))].map(
    ({ address, name }) => ({
      kind: "account",
      address,
      name,
    }),
  );
}

/** The words of a name, with a space before each. */
function wordsOf(name: string): string {
  return ` ${name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ")}`;
}
