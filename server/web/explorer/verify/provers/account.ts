import { addressOf, hashOf } from "../../../../../client/verified/inputs.js";
import type { Exchange } from "../../../../../shared/ton/lite/exchange.js";
import type { AccountSnapshot } from "../../../../../shared/ton/proofs/read/account.js";
import { isSuspended } from "../../../../../shared/ton/proofs/read/suspended.js";
import { ProofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import { bytesEqual, bytesToHex } from "../../../../../shared/values/bytes.js";
import type { Chain } from "../session.js";
import { masterchainStep } from "./blocks.js";
import { type Asking, bytesOf, type Proven, type Step } from "./proven.js";

type Place = { readonly address: string; readonly seqno: number; readonly rootHash: string };

/** An account at the masterchain block that its values were read at, so that a later change is no difference. */
export async function proveAccount(
  { address, seqno, rootHash }: Place,
  { reads }: Chain,
  { call, exchanges }: Asking,
): Promise<Proven> {
  const block = await reads.blockAt(seqno, call);
  if (!bytesEqual(block.rootHash, hashOf(rootHash)))
    throw new ProofError(
      `the service read these values at a block ${seqno} that is not of the proven chain`,
      { claimed: bytesToHex(hashOf(rootHash)), proven: bytesToHex(block.rootHash), block },
    );
  const [account, list] = await Promise.all([
    reads.account(addressOf(address), seqno, call),
    reads.suspended(block, call),
  ]);
  const { lastTransaction: last, code, data, frozenHash } = account;
  return {
    values: {
      balance: account.balance.toString(),
      state: account.status,
      suspended: String(isSuspended(account, list) ?? false),
      last_lt: last.lt.toString(),
      last_hash: bytesToHex(last.hash),
      code_hash: code ? bytesToHex(code.hash()) : "",
      data_hash: data ? bytesToHex(data.hash()) : "",
      frozen_hash: frozenHash ? bytesToHex(frozenHash) : "",
    },
    steps: accountSteps(account, exchanges),
  };
}

export function accountSteps(
  { block, shardBlock, cell }: AccountSnapshot,
  exchanges: readonly Exchange[],
): Step[] {
  const isOfShard = shardBlock !== undefined && shardBlock.workchain !== block.workchain;
  return [
    {
      title: cell ? "State of the account" : "Absence of the account",
      text: cell
        ? "Its hash is in the tree of all accounts of the shard, whose root is the hash of the state after the block."
        : "The tree of all accounts of the shard has a gap where the account would be.",
      bytes: bytesOf(exchanges, "getAccountState"),
    },
    ...(isOfShard
      ? [
          {
            title: "Block of the shard",
            text: "The masterchain block below registers it with its hash as the newest block of the shard.",
            block: shardBlock,
          },
        ]
      : []),
    masterchainStep(block),
  ];
}
