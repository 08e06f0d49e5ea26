import { opcodeOf } from "../../../shared/ton/bodies/payload.js";
import { accountIdOf, addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { AccountId, LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { ForkedAccounts } from "../../../shared/ton/proofs/read/outside.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../shared/values/address.js";
import { newestTransactions } from "../../chain/account-history.js";
import { paidTurns } from "../../chain/paid-turns.js";

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

/** Messages that tokens send to their owners: transfer notifications and assignments of ownership. */
const notices: ReadonlyMap<number | undefined, TokenKind> = new Map([
  [0x7362d09c, "wallet"],
  [0x05138d91, "item"],
]);
/** Messages that owners send to their wallets: transfers and burns. */
const requests: ReadonlySet<number | undefined> = new Set([0x0f8a7ea5, 0x595f07bc]);

/** Senders of notices and receivers of requests, in the owner's newest transactions of the network. */
export async function fromTransactions(
  owner: Address,
  {
    network,
    reader,
    call,
  }: { network: TokenNetwork; reader: Pick<ChainReader, "transactions">; call: LiteCall },
  add: Add,
): Promise<void> {
  const account = await network.account(accountIdOf(owner), call);
  if (!account) return;
  // A highload wallet sends hundreds of messages in a transaction.
  const turn = paidTurns(call);
  const newest = { lt: account.lastTransLt, hash: account.lastTransHash };
  for await (const { transactions } of newestTransactions(reader, { address: owner, newest }, call))
    for (const { transaction } of transactions)
      for (const candidate of await turn(() => candidatesIn(transaction))) add(candidate);
}

/** Tokens that the network's own API v3 lists. */
export async function fromListing(
  owner: Address,
  { network, call }: { network: TokenNetwork; call: LiteCall },
  add: Add,
): Promise<void> {
  const listed = await network.listedTokens(accountIdOf(owner), call);
  for (const id of listed?.wallets ?? []) add({ kind: "wallet", address: addressOfId(id) });
  for (const id of listed?.items ?? []) add({ kind: "item", address: addressOfId(id) });
}

function candidatesIn({ messages }: Transaction): Candidate[] {
  const { inMsg, outMsgs } = messages.value;
  const found: Candidate[] = [];
  const sender = inMsg?.value.info.kind === "internal" ? accountOf(inMsg.value.info.src) : undefined;
  const kind = notices.get(opcodeOf(inMsg?.value.body));
  if (sender && kind) found.push({ kind, address: sender });
  for (const { value } of outMsgs.values()) {
    const { info, body } = value;
    const address = info.kind === "internal" ? accountOf(info.dest) : undefined;
    if (address && requests.has(opcodeOf(body))) found.push({ kind: "wallet", address });
  }
  return found;
}
