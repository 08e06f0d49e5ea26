import { address, word } from "../declare/columns.js";
import { table } from "../declare/table.js";
import { accountKinds } from "./accounts.js";

/**
 * The tokens that an account has or had, of divided indexes alone: the shard of an owner leads to its tokens, which are in any
 * shards. A row stays when the token is given away, as the row of the token itself names its owner.
 */
export const ownedTokens = table("owned_tokens", {
  columns: { owner: address, kind: word(accountKinds), token: address },
  key: ["owner", "kind", "token"],
  merge: "keep",
  divideBy: { column: "owner" },
});
