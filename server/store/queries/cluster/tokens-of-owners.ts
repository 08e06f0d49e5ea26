import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { code, distinct } from "../../sql/where.js";
import { accountKinds } from "../../tables/accounts.js";
import { ownedTokens } from "../../tables/owned-tokens.js";
import { isAnyOf } from "./gathered-rows.js";

/** So many tokens are searched by their addresses at most. */
const mostTokens = 100;

/** The tokens that may be those of owners, of a divided index; `undefined` if no owner is given, or if they are too many. */
export async function tokensOfOwners(
  queries: Queries,
  kind: "jetton_wallets" | "nft_items",
  given: readonly Uint8Array[] | undefined,
): Promise<Uint8Array[] | undefined> {
  const owners = distinct(given);
  if (owners.length === 0) return undefined;
  const found = await queries.query<{ token: Uint8Array }>(SQL`
    select token from ${raw(ownedTokens.name)}
    where ${isAnyOf("owner", owners)} and kind = ${code(accountKinds, kind)} limit ${mostTokens + 1}`);
  return found.length > mostTokens ? undefined : found.map(({ token }) => token);
}
