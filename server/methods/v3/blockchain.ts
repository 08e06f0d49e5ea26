import type { Call, Handlers, ResultOf } from "../../../shared/methods/define.js";
import { JsonText } from "../../../shared/methods/json-text.js";
import type { blockchainMethods } from "../../../shared/methods/v3/blockchain.js";
import { ServiceError } from "../../errors.js";
import type { Queries } from "../../store/database.js";
import { indexedEnds, listBlocks, shardHeads } from "../../store/queries/blocks.js";
import { masterchainBlockExists } from "../../store/queries/masterchain-blocks.js";
import { listMessages } from "../../store/queries/messages.js";
import type { OffsetBookmarks } from "../../store/queries/offset-bookmarks.js";
import {
  adjacentTransactions,
  listTransactions,
  type TransactionText,
} from "../../store/queries/transactions.js";
import { withAddressBook, withExtras } from "./answer-extras.js";
import { TextBytes } from "./answer-text.js";
import type { IndexDeps } from "./deps.js";
import { addListWithBodies, expectedBytes } from "./present/message.js";
import { addressesOf } from "./present/transaction.js";

type Result<Name extends keyof typeof blockchainMethods> = ResultOf<(typeof blockchainMethods)[Name]>;

export const blockchainHandlers: Handlers<typeof blockchainMethods, IndexDeps, "text"> = {
  masterchainInfo: (_, { index }, call) =>
    index.read(call, async (queries) => {
      const { first, last } = assertBlocks(await indexedEnds(queries));
      return { last, first };
    }),

  blocks: (params, { index }, call) =>
    index.read(call, async (queries, bookmarks) => ({
      blocks: await listBlocks(queries, params, params, bookmarks),
    })),

  masterchainBlockShardState: ({ seqno }, { index }, call) =>
    index.read(call, async (queries) => ({ blocks: assertSome(await shardHeads(queries, seqno)) })),

  masterchainBlockShards: ({ seqno, ...page }, { index }, call) =>
    index.read(call, async (queries, bookmarks) => {
      const blocks = await listBlocks(queries, { mc_seqno: seqno }, { ...page, sort: "desc" }, bookmarks);
      return { blocks: assertSome(blocks) };
    }),

  transactions: (params, deps, call) =>
    answerTransactions(deps, call, async (queries, bookmarks) => {
      if (params.mc_seqno !== undefined) await assertMasterchainBlock(queries, params.mc_seqno);
      return listTransactions(queries, params, params, bookmarks);
    }),

  transactionsByMasterchainBlock: ({ seqno, ...page }, deps, call) =>
    answerTransactions(deps, call, async (queries, bookmarks) => {
      await assertMasterchainBlock(queries, seqno);
      return listTransactions(queries, { mc_seqno: seqno }, page, bookmarks);
    }),

  transactionsByMessage: ({ limit, offset, ...filter }, deps, call) =>
    answerTransactions(deps, call, (queries, bookmarks) =>
      listTransactions(queries, filter, { limit, offset, sort: "desc" }, bookmarks),
    ),

  adjacentTransactions: ({ hash, direction }, deps, call) =>
    answerTransactions(deps, call, async (queries) => {
      const found = await adjacentTransactions(queries, hash, direction);
      if (found.length === 0) throw new ServiceError("absent", "adjacent transactions not found");
      return found;
    }),

  messages: ({ hash, ...params }, { index, book }, call) =>
    index.read(call, async (queries, bookmarks) => {
      const msg_hash = params.msg_hash?.length ? params.msg_hash : hash;
      const found = await listMessages(queries, { ...params, msg_hash }, params, bookmarks);
      const extras = await withExtras({}, addressesOf(found), { queries, call, book });
      return textOf<Result<"messages">>("messages", found, extras);
    }),
};

async function answerTransactions(
  { index, book }: IndexDeps,
  call: Call,
  find: (queries: Queries, bookmarks: OffsetBookmarks) => Promise<TransactionText[]>,
) {
  return index.read(call, async (queries, bookmarks) => {
    const found = await find(queries, bookmarks);
    const extras = await withAddressBook({}, addressesOf(found), { queries, call, book });
    return textOf<Result<"transactions">>("transactions", found, extras);
  });
}

function textOf<Answer>(name: string, found: readonly { text: Uint8Array }[], extras: object) {
  const text = new TextBytes(expectedBytes(found));
  text.add(`{"${name}":`);
  addListWithBodies(text, found);
  text.endObject(extras);
  return new JsonText<Answer>(text.toJson());
}

/** Throws `absent` if the index does not have the masterchain block. */
export async function assertMasterchainBlock(queries: Queries, seqno: number): Promise<void> {
  if (!(await masterchainBlockExists(queries, seqno)))
    throw new ServiceError("absent", `masterchain block ${seqno} not found`);
}

function assertBlocks<T>(found: T | undefined): T {
  if (found === undefined) throw new ServiceError("absent", "blocks not found");
  return found;
}

function assertSome<T>(found: T[]): T[] {
  return assertBlocks(found.length === 0 ? undefined : found);
}
