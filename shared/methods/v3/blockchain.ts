import { z } from "zod";
import { quantity, unsigned32 } from "../../forms/values.js";
import { rule } from "../../schema/input.js";
import { includeAbi } from "../../schema/v3/abi.js";
import { block } from "../../schema/v3/blocks.js";
import { listCursor, nextCursor } from "../../schema/v3/list-cursor.js";
import {
  address,
  addresses,
  bool,
  direction,
  directions,
  hash,
  hashes,
  int32,
  lt,
  nullableAddress,
  opcode,
  page,
  shard,
  sort,
  window,
} from "../../schema/v3/params.js";
import { answerExtras } from "../../schema/v3/records.js";
import { oneOf } from "../../schema/v3/rules.js";
import { message, transactionList } from "../../schema/v3/transactions.js";
import { defineMethod } from "../define.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { exampleBlock, exampleHash, nobody } from "./examples.js";

const common = { group: "Blockchain data", verbs: ["GET"], freshness: { kind: "index" } } as const;
const paging = page({ initial: 10, max: 1000 });

const ofBlock = {
  workchain: int32.optional().describe("-1 for the masterchain, 0 for the basechain."),
  shard: shard.optional().describe("Shard in hex or as a signed decimal."),
  seqno: int32.optional().describe("Seqno of the block."),
};

const ofMessage = {
  msg_hash: hashes.optional().describe("Hashes of messages, as sent or normalized."),
  body_hash: hash.optional().describe("Hash of a message's body."),
  opcode: opcode.optional().describe("First 32 bits of a message's body."),
  source: address.optional().describe("Sender of a message."),
  destination: address.optional().describe("Receiver of a message."),
  direction: direction
    .optional()
    .describe("`in` for received messages, `out` for sent messages. Default: both."),
};

const requiredSeqno = int32.describe("Seqno of the masterchain block.");
const mcSeqno = int32.optional().describe("Seqno of the masterchain block that finalized it.");

const gaps = z.object({
  count: quantity.describe("Number of gaps."),
  blocks: unsigned32.describe("Masterchain blocks that are missing in them."),
  ranges: z
    .array(
      z.object({
        from: unsigned32.describe("Seqno of the first missing block."),
        to: unsigned32.describe("Seqno of the last missing block."),
      }),
    )
    .describe("The newest 100 gaps, in ascending order."),
});

const blockList = z.object({ blocks: z.array(block).describe("The blocks."), ...nextCursor });
const noTransactions = { transactions: [], address_book: {} };

export const blockchainMethods = {
  masterchainInfo: defineMethod({
    ...common,
    summary: "The first and the last masterchain block of the index.",
    description:
      "The index has all blocks between them. `gaps` is present if blocks below are missing: older records may be incomplete.",
    params: z.object({}),
    result: z.object({
      last: block.describe("The newest masterchain block."),
      first: block.describe("The oldest masterchain block without a gap after it."),
      gaps: gaps.optional().describe("The gaps of the index; absent if there are none."),
    }),
    errors: ["absent"],
    examples: [{ params: {}, result: { last: exampleBlock, first: exampleBlock } }],
  }),

  blocks: defineList({
    ...common,
    summary: "Blocks, newest first.",
    params: z.object({
      ...ofBlock,
      root_hash: hash.optional().describe("Hash of the block's root cell."),
      file_hash: hash.optional().describe("SHA-256 of the block's file."),
      mc_seqno: mcSeqno,
      ...window("time of the block"),
      ...paging,
      sort,
    }),
    result: blockList,
    examples: [{ params: { workchain: -1, seqno: 1, limit: 1 }, result: { blocks: [exampleBlock] } }],
  }),

  masterchainBlockShardState: defineMethod({
    ...common,
    summary: "The newest block of each shard as of a masterchain block, including that block.",
    params: z.object({ seqno: requiredSeqno }),
    result: blockList,
    errors: ["absent"],
    examples: [{ params: { seqno: 1 }, result: { blocks: [exampleBlock] } }],
  }),

  masterchainBlockShards: defineList({
    ...common,
    summary: "The blocks finalized by a masterchain block, including that block.",
    params: z.object({ seqno: requiredSeqno, ...paging }),
    result: blockList,
    errors: ["absent"],
    examples: [{ params: { seqno: 1 }, result: { blocks: [exampleBlock] } }],
  }),

  transactions: defineList({
    ...common,
    summary: "Transactions that match all filters, newest first.",
    description:
      "Sorted by logical time, or by unix time if `start_utime` or `end_utime` is given, then by account.",
    params: z
      .object({
        ...ofBlock,
        mc_seqno: mcSeqno,
        account: addresses.optional().describe("Only transactions of these accounts."),
        exclude_account: addresses.optional().describe("Exclude transactions of these accounts."),
        hash: hashes.optional().describe("Hashes of transactions."),
        lt: lt.optional().describe("Logical time of the transaction."),
        ...window("time of the transaction"),
        ...ofMessage,
        ...paging,
        sort,
        cursor: listCursor,
        include_abi: includeAbi,
      })
      .check(
        rule(({ direction, msg_hash, opcode }) =>
          direction !== undefined && !msg_hash?.length && opcode === undefined
            ? "direction can be specified only with msg_hash or opcode"
            : undefined,
        ),
      ),
    result: transactionList,
    errors: ["absent"],
    examples: [
      {
        params: { account: [nobody], limit: 5 },
        story: { account: [ofStory("ann")], limit: 2 },
        result: noTransactions,
      },
    ],
  }),

  transactionsByMasterchainBlock: defineList({
    ...common,
    summary: "The transactions finalized by a masterchain block.",
    params: z.object({ seqno: requiredSeqno, ...paging, sort, cursor: listCursor, include_abi: includeAbi }),
    result: transactionList,
    errors: ["absent"],
    examples: [
      { params: { seqno: 1, limit: 1, offset: 1000 }, story: { seqno: 1, limit: 1 }, result: noTransactions },
    ],
  }),

  transactionsByMessage: defineList({
    ...common,
    summary: "The transactions that sent or received a message, newest first.",
    params: z
      .object({ ...ofMessage, ...paging, cursor: listCursor, include_abi: includeAbi })
      .check(
        oneOf(
          ["msg_hash", "body_hash", "opcode"],
          "at least one of msg_hash, body_hash, opcode should be specified",
        ),
      ),
    result: transactionList,
    examples: [
      {
        params: { msg_hash: [exampleHash] },
        story: { msg_hash: [ofStory("message_hash")] },
        result: noTransactions,
      },
    ],
  }),

  adjacentTransactions: defineMethod({
    ...common,
    summary: "The parent and the children of a transaction.",
    params: z.object({
      hash: hash.describe("Hash of the transaction."),
      direction: directions
        .optional()
        .describe("`in` for the parent, `out` for the children. Default: both."),
      include_abi: includeAbi,
    }),
    result: transactionList,
    errors: ["absent"],
    examples: [
      {
        params: { hash: exampleHash, direction: "in" },
        story: { hash: ofStory("transaction_hash"), direction: "in" },
        result: noTransactions,
      },
    ],
  }),

  messages: defineList({
    ...common,
    summary: "Messages that match all filters, newest first.",
    description:
      "Sorted by logical time of creation, or by unix time if `start_utime` or `end_utime` is given.",
    params: z
      .object({
        msg_hash: hashes.optional().describe("Hashes of messages, as sent or normalized."),
        hash: hashes.optional().describe("Alias of `msg_hash`."),
        body_hash: hash.optional().describe("Hash of the body."),
        source: nullableAddress.optional().describe("Sender; `null` for external messages to a contract."),
        destination: nullableAddress
          .optional()
          .describe("Receiver; `null` for external messages from a contract."),
        opcode: opcode.optional().describe("First 32 bits of the body."),
        direction: direction
          .optional()
          .describe("`in` for the receiver's side only, `out` for the sender's side only."),
        exclude_externals: bool.optional().describe("Exclude external messages to contracts."),
        only_externals: bool.optional().describe("Only external messages to contracts."),
        ...window("time the message was created"),
        ...paging,
        sort,
        cursor: listCursor,
        include_abi: includeAbi,
      })
      .check(
        rule(({ msg_hash, hash }) =>
          msg_hash?.length && hash?.length ? "cannot use both legacy and new message hashes" : undefined,
        ),
      ),
    result: z.object({
      messages: z.array(message).describe("The messages."),
      ...answerExtras,
      ...nextCursor,
    }),
    examples: [
      {
        params: { msg_hash: [exampleHash] },
        story: { msg_hash: [ofStory("message_hash")] },
        result: { messages: [], address_book: {}, metadata: {} },
      },
    ],
  }),
};
