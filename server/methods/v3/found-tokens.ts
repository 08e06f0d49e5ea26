import type { Call } from "../../../shared/methods/define.js";
import type { FoundTokens } from "../../../shared/schema/v3/tokens/found.js";
import type { Address } from "../../../shared/values/address.js";
import type { TokenKind } from "../../contracts/fork-tokens/candidates.js";
import type { ForkTokens } from "../../contracts/fork-tokens/fork-tokens.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";

export type TokenDeps = IndexDeps & {
  /** Finds tokens of the network that is forked; absent elsewhere. */
  forkTokens?: Pick<ForkTokens, "ofOwners" | "at"> | undefined;
};

/** The member that an answer of a fork has. */
type Member = { found?: FoundTokens };
type Named = [kind: TokenKind, addresses: readonly Address[] | undefined];

/** Finds tokens of owners before they are read from the index; with masters only their wallets. */
export async function foundOf(
  { forkTokens }: TokenDeps,
  { owners, masters }: { owners: readonly Address[]; masters?: readonly Address[] | undefined },
  call: Call,
): Promise<Member> {
  return forkTokens ? { found: await forkTokens.ofOwners(owners, masters, call) } : {};
}

/** Finds named tokens. Without names the answer lacks most of the network's tokens, but has the one they belong to. */
export async function foundAt(
  { forkTokens }: TokenDeps,
  { named, parent }: { named: Named; parent?: Named },
  call: Call,
): Promise<Member> {
  if (!forkTokens) return {};
  const [kind, addresses] = named[1] || !parent ? named : parent;
  const found = addresses && (await forkTokens.at(kind, addresses, call));
  return { found: { by: [], ...found, partial: !named[1] || found?.partial === true } };
}
