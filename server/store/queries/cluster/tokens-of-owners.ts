import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { code, distinct } from "../../sql/where.js";
import { accountKinds } from "../../tables/accounts.js";
import { ownedTokens } from "../../tables/owned-tokens.js";
import { isAnyOf } from "./gathered-rows.js";

/** So many tokens are searched by their addresses at most. */
const mostTokens = 100;

/** The kinds of tokens that have owners, by the letters of their rows. */
const kinds = { w: "jetton_wallets", o: "nft_items" } as const;
export type OwnedLetter = keyof typeof kinds;

/** The tokens that may be those of owners, of a divided index; `undefined` if no owner is given, or if they are too many. */
export async function tokensOfOwners(
  queries: Queries,
  letter: OwnedLetter,
  given: readonly Uint8Array[] | undefined,
): Promise<Uint8Array[] | undefined> {
  const owners = distinct(given);
  if (owners.length === 0) return undefined;
  const found = await queries.query<{ token: Uint8Array }>(SQL`
    select token from ${raw(ownedTokens.name)}
    where ${isAnyOf("owner", owners)} and kind = ${code(accountKinds, kinds[letter])} limit ${mostTokens + 1}`);
  return found.length > mostTokens ? undefined : found.map(({ token }) => token);
}
