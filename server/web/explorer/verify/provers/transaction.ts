import { addressOf } from "../../../../../client/verified/inputs.js";
import { parseBocRoot } from "../../../../../shared/ton/cells/boc.js";
import type { LiteCall } from "../../../../../shared/ton/lite/lite-api.js";
import type { FoundTransaction } from "../../../../../shared/ton/proofs/read/transactions.js";
import { proofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import { verifyOneTransaction } from "../../../../../shared/ton/proofs/verify/transactions.js";
import { accountPrefix, type BlockIdExt } from "../../../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../../../shared/ton/tlb/codec.js";
import { Transaction } from "../../../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../../../shared/values/address.js";
import type { Chain } from "../session.js";
import { accountSteps } from "./account.js";
import type { AccountChains } from "./account-chains.js";
import { shardSteps } from "./blocks.js";
import { type Asking, bytesOf, type Proven } from "./proven.js";
import { transactionValues } from "./transaction-values.js";

type Place = { readonly account: string; readonly lt: string; readonly isChained: boolean };

/** A transaction by the chain of hashes from the state of its account, or by the block that has it. */
export async function proveTransaction(
  { account, lt, isChained }: Place,
  chain: Chain,
  { chains, ...asking }: Asking & { readonly chains: AccountChains },
): Promise<Proven> {
  const address = addressOf(account);
  const { call, exchanges } = asking;
  const found = isChained ? await chains.find(chain, address, BigInt(lt), call) : "deep";
  if (found === "deep") return byBlock(address, BigInt(lt), chain, asking);
  if (!found) return { values: {}, steps: [absent] };
  // An earlier proof may have read a part of the chain.
  exchanges.push(...found.exchanges.filter((each) => !exchanges.includes(each)));
  return {
    values: transactionValues(found.transaction),
    steps: [
      {
        title: "Transaction",
        text: `Each transaction names the one before it by its hash. This is number ${found.length} back from the last one that the state of the account names.`,
        bytes: bytesOf(exchanges, "getTransactions"),
      },
      ...accountSteps(found.account, exchanges),
    ],
  };
}

const absent = {
  title: "No such transaction",
  text: "The chain does not have this transaction. On a devnet it may have been taken back by a revert.",
};

async function byBlock(address: Address, lt: bigint, chain: Chain, asking: Asking): Promise<Proven> {
  const { call, exchanges } = asking;
  const position = { workchain: address.workchain, shard: accountPrefix(address.hash), seqno: 0 };
  const { id } = await chain.reads.lite.lookupBlock({ id: position, lt }, call);
  const found = await transactionIn(id, address, lt, chain, call);
  if (!found) return { values: {}, steps: [absent, ...shardSteps(id, exchanges)] };
  return {
    values: transactionValues(found),
    steps: [
      {
        title: "Transaction",
        text: "It is in the tree of all transactions of its block, whose hash is a part of the hash of the block.",
        bytes: bytesOf(exchanges, "getOneTransaction"),
      },
      ...shardSteps(id, exchanges),
    ],
  };
}

async function transactionIn(
  id: BlockIdExt,
  address: Address,
  lt: bigint,
  { lite }: Chain,
  call: LiteCall,
): Promise<FoundTransaction | undefined> {
  const request = { id, account: { workchain: address.workchain, id: address.hash }, lt };
  const answer = await lite.getOneTransaction({ ...request, proof: true }, call);
  try {
    verifyOneTransaction(request, answer);
    if (answer.transaction.length === 0) return undefined;
    const cell = parseBocRoot(answer.transaction);
    return { address, cell, transaction: decode(Transaction, cell) };
  } catch (error) {
    throw proofError("getOneTransaction", error, { block: id });
  }
}
