import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { v4TransactionMethods } from "../../../shared/methods/v4/transactions.js";
import { toBase64 } from "../../../shared/ton/cells/base64.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { presentV4BlockId } from "../../../shared/ton/present/v4/records.js";
import { presentV4Transaction } from "../../../shared/ton/present/v4/transaction.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { TransactionsPage } from "../../../shared/ton/proofs/read/transactions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { ServiceError } from "../../errors.js";
import { presentInSlices } from "../../present/present-in-slices.js";
import { parseAndSend, type SendDeps } from "../v2/send.js";

export type V4TransactionDeps = SendDeps & { reader: Pick<ChainReader, "transactions"> };

const pageLength = 20;

export const v4TransactionHandlers: Handlers<typeof v4TransactionMethods, V4TransactionDeps> = {
  async transactions(params, { reader }, call) {
    const { transactions, blocks } = await page({ ...params, count: pageLength }, reader, call);
    return {
      blocks: blocks.map(presentKnown),
      boc: toBase64(serializeBoc(transactions.map(({ cell }) => cell))),
    };
  },

  async parsedTransactions(params, { reader }, call) {
    const { transactions, blocks } = await page(params, reader, call);
    return {
      blocks: blocks.map(presentKnown),
      transactions: await presentInSlices(transactions, presentV4Transaction, call.signal),
    };
  },

  async send({ boc }, deps, call) {
    await parseAndSend(boc, deps, call);
    return { status: 1 };
  },
};

/** A fork does not know in which block of its network a transaction from before it is. */
function presentKnown(block: BlockIdExt | undefined) {
  if (!block)
    throw new ServiceError("absent", "the block of a transaction from before the fork is not known");
  return presentV4BlockId(block);
}

type PageParams = { address: Address; lt: bigint; hash: Uint8Array; count: number };

async function page(
  { address, lt, hash, count }: PageParams,
  reader: V4TransactionDeps["reader"],
  call: Call,
): Promise<TransactionsPage> {
  const found = await reader.transactions({ address, from: { lt, hash }, limit: count, toLt: 0n }, call);
  // A liteserver that is connected later may have the rest.
  if (found.transactions.length < count && found.previous.lt > 0n) call.provisional = true;
  return found;
}
