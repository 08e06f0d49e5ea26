import { bytesEqual } from "../../../values/bytes.js";
import { itemAt } from "../../../values/lookups.js";
import { parseBoc, parseBocRoot } from "../../cells/boc/boc.js";
import type {
  AccountId,
  LiteCall,
  TransactionInfo,
  TransactionList,
  WithProof,
} from "../../lite/lite-api.js";
import {
  accountPrefix,
  type BlockIdExt,
  formatBlockId,
  formatBlockIdExt,
  sameBlock,
  shardContainsPrefix,
} from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { Transaction } from "../../tlb/transaction.js";
import { blockTransaction } from "../make/account-blocks.js";
import { noBytes } from "../make/prove.js";
import { lookupBlock } from "./lookups.js";
import { check, checkHash, checkSameBlock } from "./proof-error.js";
import { blockTree, cellWithHash, provenHeaderBoc } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";

/** Servers send at most this many. */
const maxTransactions = 16;

type ListQuery = { count: number; account: AccountId; lt: bigint; hash: Uint8Array };

/**
 * Verifies a list of transactions: the request has lt and hash of the first one, and each has those of the previous
 * one. The list may end early, where the server's history ends. It does not prove the block ids. Returns the lt of
 * each.
 */
export function verifyTransactionChain(
  { count, account, lt, hash }: ListQuery,
  answer: TransactionList,
): bigint[] {
  const cells = answer.transactions.length > 0 ? parseBoc(answer.transactions) : [];
  const wanted = Math.min(count, maxTransactions);
  check(cells.length === answer.ids.length, "the numbers of blocks and transactions differ");
  check(cells.length <= wanted, "more transactions than asked for");
  check(cells.length > 0 || wanted <= 0 || lt === 0n, "the first transaction is missing");
  let next = { lt, hash };
  return cells.map((cell, index) => {
    checkHash(cell.hash(), next.hash, "wrong transaction in the chain");
    const transaction = decode(Transaction, cell);
    check(
      transaction.lt === next.lt && bytesEqual(transaction.accountAddr, account.id),
      "the transaction does not match the lt or the account",
    );
    const { workchain, shard } = itemAt(answer.ids, index);
    check(
      workchain === account.workchain && shardContainsPrefix(shard, accountPrefix(account.id)),
      "a block of another shard than the account's",
    );
    next = { lt: transaction.prevTransLt, hash: transaction.prevTransHash };
    return transaction.lt;
  });
}

export function verifyOneTransaction(
  { id, account, lt }: { id: BlockIdExt; account: AccountId; lt: bigint },
  answer: TransactionInfo,
): void {
  checkSameBlock(answer.id, id);
  check(
    id.workchain === account.workchain && shardContainsPrefix(id.shard, accountPrefix(account.id)),
    `the account is not in the shard of ${formatBlockId(id)}`,
  );
  const block = blockTree(id, parseBocRoot(answer.proof));
  const proven = blockTransaction(block, account.id, lt);
  if (proven) cellWithHash(answer.transaction, proven.hash(), "the transaction");
  else check(answer.transaction.length === 0, "the block does not have the transaction");
}

export async function getTransactions(
  proving: Proving,
  request: ListQuery,
  call: LiteCall,
): Promise<TransactionList> {
  const answer = await proving.lite.getTransactions(request, call);
  const lts = verifyTransactionChain(request, answer);
  if (proving.proveTransactionBlocks)
    await proveBlocks(proving, request.account, { ids: answer.ids, lts }, call);
  return answer;
}

/** Looks up each block by the lt of one of its transactions; the others must be within its lt range. */
async function proveBlocks(
  proving: Proving,
  { workchain, id: account }: AccountId,
  { ids, lts }: { ids: readonly BlockIdExt[]; lts: readonly bigint[] },
  call: LiteCall,
): Promise<void> {
  const position = { workchain, shard: accountPrefix(account), seqno: 0 };
  const blocks = new Map(ids.map((id, index) => [formatBlockIdExt(id), { id, lt: itemAt(lts, index) }]));
  await Promise.all(
    Array.from(blocks.values(), async ({ id, lt }) => {
      const found = await lookupBlock(proving, { id: position, lt }, call);
      checkSameBlock(id, found.id);
      const { startLt, endLt } = provenHeaderBoc(found.id, found.headerProof).info;
      const own = lts.filter((_, index) => sameBlock(itemAt(ids, index), id));
      check(
        own.every((each) => startLt <= each && each <= endLt),
        `${formatBlockId(id)} does not contain all transactions listed for it`,
      );
    }),
  );
}

export async function getOneTransaction(
  { lite }: Proving,
  request: { id: BlockIdExt; account: AccountId; lt: bigint } & WithProof,
  call: LiteCall,
): Promise<TransactionInfo> {
  const answer = await lite.getOneTransaction({ ...request, proof: true }, call);
  verifyOneTransaction(request, answer);
  return request.proof ? answer : { ...answer, proof: noBytes() };
}
