import { opcodeOf } from "../../../shared/ton/bodies/payload.js";
import type { AccountId, LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { ForkedAccounts } from "../../../shared/ton/proofs/read/outside.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import { Address } from "../../../shared/values/address.js";
import { newestTransactions } from "../../chain/account-history.js";

export type TokenKind = "wallet" | "item" | "master" | "collection";

/** The network of a fork, as far as tokens are found in it. */
export interface TokenNetwork extends ForkedAccounts {
  /** Tokens of an owner by the network's own API v3, unchecked; undefined if the network has none. */
  listedTokens(
    owner: AccountId,
    call?: LiteCall,
  ): Promise<{ wallets: AccountId[]; items: AccountId[] } | undefined>;
}

/** A possible token, by its address or as the wallet that a master has for the owner. Nobody has checked that it is one. */
export type Candidate = { kind: TokenKind; address: Address } | { kind: "wallet"; master: Address };

/** Receives candidates as they are found, so that a search that fails has found those before. */
export type Add = (candidate: Candidate) => void;

/** Messages that tokens send to their owners. */
const notices: ReadonlyMap<number | undefined, TokenKind> = new Map([
  [0x7362d09c, "wallet"],
  [0x05138d91, "item"],
]);

/** Senders of transfer notifications and of assignments of ownership, in the owner's newest transactions of the network. */
export async function fromTransactions(
  owner: Address,
  {
    network,
    reader,
    call,
  }: { network: TokenNetwork; reader: Pick<ChainReader, "transactions">; call: LiteCall },
  add: Add,
): Promise<void> {
  const account = await network.account(idOf(owner), call);
  if (!account) return;
  const newest = { lt: account.lastTransLt, hash: account.lastTransHash };
  for await (const { transactions } of newestTransactions(reader, { address: owner, newest }, call))
    for (const transaction of transactions) {
      const candidate = noticeIn(transaction);
      if (candidate) add(candidate);
    }
}

/** Tokens that the network's own API v3 lists. */
export async function fromListing(
  owner: Address,
  { network, call }: { network: TokenNetwork; call: LiteCall },
  add: Add,
): Promise<void> {
  const listed = await network.listedTokens(idOf(owner), call);
  for (const id of listed?.wallets ?? []) add({ kind: "wallet", address: addressOf(id) });
  for (const id of listed?.items ?? []) add({ kind: "item", address: addressOf(id) });
}

function noticeIn({ transaction }: FoundTransaction): Candidate | undefined {
  const message = transaction.messages.value.inMsg?.value;
  if (message?.info.kind !== "internal" || !(message.info.src instanceof Address)) return undefined;
  const kind = notices.get(opcodeOf(message.body));
  return kind && { kind, address: message.info.src };
}

function idOf({ workchain, hash: id }: Address): AccountId {
  return { workchain, id };
}

function addressOf({ workchain, id }: AccountId): Address {
  return new Address(workchain, id);
}
