import { bytesEqual } from "../../../values/bytes.js";
import { itemAt } from "../../../values/lookups.js";
import { parseBoc, parseBocRoot } from "../../cells/boc/boc.js";
import type {
  BlockTransactions,
  BlockTransactionsExt,
  BlockTransactionsQuery,
  LiteCall,
  TransactionId,
  TransactionIdFields,
  TransactionMetadata,
} from "../../lite/lite-api.js";
import { idOf, type Listed, listIn } from "../make/block-transactions.js";
import { messageMetadata } from "../make/message-metadata.js";
import { noBytes } from "../make/prove.js";
import { check, checkHash, checkSameBlock } from "./proof-error.js";
import { blockTree } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";

type IdsQuery = BlockTransactionsQuery & TransactionIdFields;
type ListAnswer = Omit<BlockTransactions, "ids">;

/** Compares the list with the one read from the proof with the same limits, so nothing is altered or left out. */
export function verifyBlockTransactions(request: IdsQuery, answer: BlockTransactions): void {
  const { block, transactions } = provenList(request, answer, answer.ids.length);
  for (const [index, listed] of transactions.entries())
    check(
      sameTransactionId(itemAt(answer.ids, index), idOf(block, listed, request)),
      `transaction ${index} of the list is wrong`,
    );
}

export function verifyBlockTransactionsExt(
  request: BlockTransactionsQuery,
  answer: BlockTransactionsExt,
): void {
  const cells = answer.transactions.length > 0 ? parseBoc(answer.transactions) : [];
  const { block, transactions } = provenList(request, answer, cells.length);
  for (const [index, { cell }] of transactions.entries()) {
    checkHash(itemAt(cells, index).hash(), cell.hash(), `transaction ${index} of the list is wrong`);
    // Throws if the metadata that the caller will read are not in the proof.
    if (request.metadata) messageMetadata(block, itemAt(cells, index));
  }
}

function provenList(request: BlockTransactionsQuery, answer: ListAnswer, count: number) {
  checkSameBlock(answer.id, request.id);
  const block = blockTree(request.id, parseBocRoot(answer.proof));
  const listed: Listed = listIn(block, request);
  check(
    listed.transactions.length === count,
    `${count} transactions instead of ${listed.transactions.length}`,
  );
  check(answer.incomplete === listed.incomplete, "`incomplete` of the list is wrong");
  return { block, transactions: listed.transactions };
}

function sameTransactionId(a: TransactionId, b: TransactionId): boolean {
  return (
    sameBytes(a.account, b.account) &&
    a.lt === b.lt &&
    sameBytes(a.hash, b.hash) &&
    sameMetadata(a.metadata, b.metadata)
  );
}

export function sameMetadata(a?: TransactionMetadata, b?: TransactionMetadata): boolean {
  return (
    a?.depth === b?.depth &&
    a?.initiatorLt === b?.initiatorLt &&
    a?.initiator.workchain === b?.initiator.workchain &&
    sameBytes(a?.initiator.id, b?.initiator.id)
  );
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a && b ? bytesEqual(a, b) : a === b;
}

export async function listBlockTransactions(
  { lite }: Proving,
  request: IdsQuery,
  call: LiteCall,
): Promise<BlockTransactions> {
  const answer = await lite.listBlockTransactions({ ...request, proof: true }, call);
  verifyBlockTransactions(request, answer);
  return { ...answer, reqCount: request.count, proof: request.proof ? answer.proof : noBytes() };
}

export async function listBlockTransactionsExt(
  { lite }: Proving,
  request: BlockTransactionsQuery,
  call: LiteCall,
): Promise<BlockTransactionsExt> {
  const answer = await lite.listBlockTransactionsExt({ ...request, proof: true }, call);
  verifyBlockTransactionsExt(request, answer);
  const isProofWanted = request.proof || request.metadata;
  return { ...answer, reqCount: request.count, proof: isProofWanted ? answer.proof : noBytes() };
}
