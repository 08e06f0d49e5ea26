import type { Call, Handlers, ResultOf } from "../../../shared/methods/define.js";
import type { blockchainMethods } from "../../../shared/methods/v3/blockchain.js";
import { ServiceError } from "../../errors.js";
import { type IndexDeps, wantedExtras, withAddressBook, withExtras } from "../../present/v3/answer-extras.js";
import { CodeHashes } from "../../present/v3/code-book.js";
import { presentGaps } from "../../present/v3/gaps.js";
import { ListWithBodies, readMessage } from "../../present/v3/message.js";
import { messagesByAbi, provisional, transactionsByAbi } from "../../present/v3/record-abis.js";
import { addressesIn, readTransaction, type TransactionRecord } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { PageExtras } from "../../store/queries/accounts/page-extras.js";
import type { OffsetBookmarks } from "../../store/queries/slots/offset-bookmarks.js";
import type { Gaps } from "../../store/queries/upkeep/index-gaps.js";
import { reads } from "../../store/reads/index-reads.js";
import type { TakeText } from "../../store/sql/row-bytes.js";
import type { MessageRecord } from "../../store/tables/message-record.js";

/** The gaps of the index, available without a query. */
export type GapDeps = { indexGaps(): Gaps };

type Result<Name extends keyof typeof blockchainMethods> = ResultOf<(typeof blockchainMethods)[Name]>;

export const blockchainHandlers: Handlers<typeof blockchainMethods, IndexDeps & GapDeps, "text"> = {
  masterchainInfo: (_, { index, indexGaps }, call) =>
    index.read(call, async (queries) => {
      const { first, last } = assertBlocks(await reads.indexedEnds(queries));
      const gaps = indexGaps();
      return { last, first, ...(gaps.count > 0 && { gaps: presentGaps(gaps) }) };
    }),

  blocks: (params, { index }, call) =>
    index.read(call, async (queries, bookmarks) => ({
      blocks: await reads.listBlocks(queries, params, params, bookmarks),
    })),

  masterchainBlockShardState: ({ seqno }, { index }, call) =>
    index.read(call, async (queries) => ({ blocks: assertSome(await reads.shardHeads(queries, seqno)) })),

  masterchainBlockShards: ({ seqno, ...page }, { index }, call) =>
    index.read(call, async (queries, bookmarks) => {
      const blocks = await reads.listBlocks(
        queries,
        { mc_seqno: seqno },
        { ...page, sort: "desc" },
        bookmarks,
      );
      // Behind the last block there is an empty page.
      return { blocks: page.cursor?.after ? blocks : assertSome(blocks) };
    }),

  transactions: (params, deps, call) =>
    answerTransactions(deps, params, call, ({ queries, bookmarks, take, extras }) =>
      ofMasterchainBlock(queries, params.mc_seqno, () =>
        reads.listTransactions(queries, params, params, bookmarks, take, extras),
      ),
    ),

  transactionsByMasterchainBlock: ({ seqno, include_abi, ...page }, deps, call) =>
    answerTransactions(deps, { include_abi }, call, ({ queries, bookmarks, take, extras }) =>
      ofMasterchainBlock(queries, seqno, () =>
        reads.listTransactions(queries, { mc_seqno: seqno }, page, bookmarks, take, extras),
      ),
    ),

  transactionsByMessage: ({ limit, offset, cursor, include_abi, ...filter }, deps, call) =>
    answerTransactions(deps, { include_abi }, call, ({ queries, bookmarks, take, extras }) =>
      reads.listTransactions(
        queries,
        filter,
        { limit, offset, cursor, sort: "desc" },
        bookmarks,
        take,
        extras,
      ),
    ),

  adjacentTransactions: ({ hash, direction, include_abi }, deps, call) =>
    answerTransactions(deps, { include_abi }, call, async ({ queries, take, extras }) => {
      const side = direction === "both" ? undefined : direction;
      const found = await reads.adjacentTransactions(queries, hash, side, take, extras);
      if (found.length === 0) throw new ServiceError("absent", "adjacent transactions not found");
      return found;
    }),

  messages: ({ hash, include_abi, ...params }, { index, book }, call) =>
    index.read(call, async (queries, bookmarks) => {
      const msg_hash = params.msg_hash?.length ? params.msg_hash : hash;
      const list = new ListWithBodies("messages");
      const records: MessageRecord[] = [];
      const take = include_abi ? takingInto(records, readMessage) : list.take;
      const extras = include_abi ? undefined : await wantedExtras({ queries, call });
      const filter = { ...params, msg_hash };
      const shown = await reads.listMessages(queries, filter, params, bookmarks, take, extras);
      const source = { queries, call, book, extras };
      const messages = include_abi ? await messagesByAbi(records, provisional(source)) : undefined;
      const added = await withExtras({}, addressesIn(shown), source);
      return messages ? { messages, ...added } : list.end<Result<"messages">>(added);
    }),
};

type TransactionSource = {
  queries: Queries;
  bookmarks: OffsetBookmarks;
  take: TakeText<string>;
  extras: PageExtras | undefined;
};

/** `find` returns the addresses of each transaction it has added. */
async function answerTransactions(
  { index, book }: IndexDeps,
  { include_abi }: { include_abi: boolean },
  call: Call,
  find: (source: TransactionSource) => Promise<string[]>,
) {
  return index.read(call, async (queries, bookmarks) => {
    const list = new ListWithBodies("transactions");
    const records: TransactionRecord[] = [];
    const takeShown = include_abi ? takingInto(records, (text) => readTransaction({ text })) : list.take;
    const codes = new CodeHashes();
    const take: TakeText<string> = (text, addresses) => {
      codes.addText(text);
      return takeShown(text, addresses);
    };
    // More is read behind a page by ABIs.
    const extras = include_abi ? undefined : await wantedExtras({ queries, call }, { hasMetadata: false });
    const shown = await find({ queries, bookmarks, take, extras });
    const source = { queries, call, book, extras };
    const transactions = include_abi ? await transactionsByAbi(records, provisional(source)) : undefined;
    const added = await withAddressBook({}, addressesIn(shown), source);
    const others = { ...added, ...codes.book(book) };
    return transactions ? { transactions, ...others } : list.end<Result<"transactions">>(others);
  });
}

/** Takes records as values, for those that more is read for. Gives their addresses. */
function takingInto<Row>(records: Row[], read: (text: Uint8Array) => Row): TakeText<string> {
  return (text, addresses) => {
    records.push(read(text));
    return addresses;
  };
}

/** The result of `read`. Throws `absent` if the requested masterchain block is not in the index. */
export async function ofMasterchainBlock<T>(
  queries: Queries,
  seqno: number | undefined,
  read: () => Promise<T>,
): Promise<T> {
  if (seqno === undefined) return read();
  // Sent together: a pipelined connection answers them in fewer round trips.
  const [exists, found] = await Promise.all([reads.masterchainBlockExists(queries, seqno), read()]);
  if (!exists) throw new ServiceError("absent", `masterchain block ${seqno} not found`);
  return found;
}

function assertBlocks<T>(found: T | undefined): T {
  if (found === undefined) throw new ServiceError("absent", "blocks not found");
  return found;
}

function assertSome<T>(found: T[]): T[] {
  return assertBlocks(found.length === 0 ? undefined : found);
}
