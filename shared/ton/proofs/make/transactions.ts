import { bytesEqual } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import {
  type AccountId,
  LiteError,
  type TransactionInfo,
  type TransactionList,
  type WithProof,
} from "../../lite/lite-api.js";
import { accountPrefix, type BlockIdExt, invalidWorkchain, shardContainsPrefix } from "../../tlb/block-id.js";
import { blockTransaction } from "./account-blocks.js";
import { assertBlockId, failure, findBlock, loadBlock, loadReferenceBlock } from "./load.js";
import { answerBoc, noBytes, readTree } from "./prove.js";
import type { ServedBlock, ServedChain } from "./served-chain.js";

const maxTransactions = 16;

export async function getOneTransaction(
  chain: ServedChain,
  { id, account, lt, proof: wantProof }: { id: BlockIdExt; account: AccountId; lt: bigint } & WithProof,
): Promise<TransactionInfo> {
  assertBlockId(id, "block id in getOneTransaction() is invalid");
  if (id.workchain !== account.workchain || !shardContainsPrefix(id.shard, accountPrefix(account.id)))
    throw failure("requested account id is not contained in the shard of the specified block");
  const { root } = await loadReferenceBlock(chain, id);
  const { value, proof } = readTree(root, wantProof, (block) => blockTransaction(block, account.id, lt));
  return { id, proof, transaction: value ? answerBoc(value.physical) : noBytes() };
}

export async function getTransactions(
  chain: ServedChain,
  { count, account, lt, hash }: { count: number; account: AccountId; lt: bigint; hash: Uint8Array },
): Promise<TransactionList> {
  if (account.workchain === invalidWorkchain) throw failure("invalid workchain specified");
  const ids: BlockIdExt[] = [];
  const transactions: Cell[] = [];
  let next = { lt, hash };
  let block: ServedBlock | undefined;
  while (transactions.length < Math.min(count, maxTransactions) && next.lt > 0n) {
    // The next transaction may be in the same block.
    let transaction = block && blockTransaction(block.root, account.id, next.lt);
    if (!transaction) {
      block = await blockWith(chain, account, next.lt, transactions.length === 0);
      transaction = block && blockTransaction(block.root, account.id, next.lt);
    }
    if (!block || !transaction) {
      if (transactions.length > 0) break;
      throw failure("cannot locate transaction in block with specified logical time");
    }
    if (!bytesEqual(transaction.hash(), next.hash)) throw failure("transaction hash mismatch");
    ids.push(block.id);
    transactions.push(transaction);
    next = previousOf(transaction);
  }
  return { ids, transactions: answerBoc(transactions) };
}

/** The block with the transaction. If it is missing: an error for the first transaction, undefined for later ones. */
async function blockWith(
  chain: ServedChain,
  account: AccountId,
  lt: bigint,
  first: boolean,
): Promise<ServedBlock | undefined> {
  try {
    return await loadBlock(
      chain,
      await findBlock(chain, account.workchain, accountPrefix(account.id), { lt }),
    );
  } catch (error) {
    if (!(error instanceof LiteError)) throw error;
    if (first) throw failure(`cannot compute block with specified transaction: ${error.message}`);
    return undefined;
  }
}

/** `transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 …` */
function previousOf(transaction: Cell): { lt: bigint; hash: Uint8Array } {
  const slice = transaction.parse().skip(4 + 256 + 64);
  return { hash: slice.loadBytes(32), lt: slice.loadBigUint(64) };
}
