import type { Cell } from "../../cells/cell.js";
import type {
  BlockTransactions,
  BlockTransactionsExt,
  BlockTransactionsQuery,
  TransactionId,
  TransactionIdFields,
} from "../../lite/lite-api.js";
import { type ListedTransaction, listTransactions } from "./account-blocks.js";
import { hashNumber, numberHash } from "./dictionary-walk.js";
import { loadReferenceBlock } from "./load.js";
import { messageMetadata } from "./message-metadata.js";
import { answerBoc, readTree } from "./prove.js";
import type { ServedChain } from "./served-chain.js";

const maxListed = 256;

export type Listed = { transactions: ListedTransaction[]; incomplete: boolean };

export async function listBlockTransactions(
  chain: ServedChain,
  request: BlockTransactionsQuery & TransactionIdFields,
): Promise<BlockTransactions> {
  const { root } = await loadReferenceBlock(chain, request.id);
  const { value, proof } = readTree(root, request.proof, (block) => {
    const { transactions, incomplete } = listIn(block, request);
    return { ids: transactions.map((listed) => idOf(block, listed, request)), incomplete };
  });
  return { id: request.id, reqCount: request.count, ...value, proof };
}

export async function listBlockTransactionsExt(
  chain: ServedChain,
  request: BlockTransactionsQuery,
): Promise<BlockTransactionsExt> {
  const { root } = await loadReferenceBlock(chain, request.id);
  const wantProof = request.proof || request.metadata;
  const { value, proof } = readTree(root, wantProof, (block) => {
    const listed = listIn(block, request);
    if (request.metadata) for (const { cell } of listed.transactions) messageMetadata(block, cell);
    return listed;
  });
  const transactions = answerBoc(value.transactions.map(({ cell }) => cell.physical));
  return { id: request.id, reqCount: request.count, incomplete: value.incomplete, transactions, proof };
}

/** Lists at most 256 transactions. A full list counts as incomplete without looking further. */
export function listIn(block: Cell, { count, after, reverseOrder }: BlockTransactionsQuery): Listed {
  const transactions: ListedTransaction[] = [];
  const limit = Math.min(count, maxListed);
  if (limit <= 0) return { transactions, incomplete: true };
  const start = after && { account: hashNumber(after.account), lt: after.lt };
  for (const listed of listTransactions(block, start, reverseOrder ?? false)) {
    transactions.push(listed);
    if (transactions.length === limit) return { transactions, incomplete: true };
  }
  return { transactions, incomplete: false };
}

/** The id of a transaction with the requested fields. Opens the inbound message if metadata are requested. */
export function idOf(
  block: Cell,
  { account, lt, cell }: ListedTransaction,
  wanted: TransactionIdFields & BlockTransactionsQuery,
): TransactionId {
  const metadata = wanted.metadata ? messageMetadata(block, cell) : undefined;
  return {
    ...(wanted.account && { account: numberHash(account) }),
    ...(wanted.lt && { lt }),
    ...(wanted.hash && { hash: cell.hash(0) }),
    ...(metadata && { metadata }),
  };
}
