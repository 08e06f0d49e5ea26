import { addressOf } from "../../../../../client/verified/inputs.js";
import { placeOf } from "../../../../../shared/ton/proofs/read/locate-transaction.js";
import { readOneTransaction } from "../../../../../shared/ton/proofs/read/transactions.js";
import { getOneTransaction } from "../../../../../shared/ton/proofs/verify/transactions.js";
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

async function byBlock(
  address: Address,
  lt: bigint,
  { reads }: Chain,
  { call, exchanges }: Asking,
): Promise<Proven> {
  const { id } = await reads.lite.lookupBlock({ id: { ...placeOf(address), seqno: 0 }, lt }, call);
  const found = await readOneTransaction(reads.liteOf({ getOneTransaction }), { id, address, lt }, call);
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
