import { z } from "zod";
import { rule } from "../../schema/input.js";
import {
  accountAddress,
  count,
  int32,
  int64,
  optionalAccountId,
  optionalFlag,
  optionalHash,
  shard,
} from "../../schema/v2/params.js";
import { blockId, transactionId, typeName } from "../../schema/v2/records.js";
import {
  blockTransaction,
  plainTransaction,
  shortTransaction,
  standardTransaction,
} from "../../schema/v2/transactions.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import {
  exampleMessage,
  exampleShardBlock,
  exampleTransaction,
  faucet,
  firstBlock,
  friend,
  nobody,
  noTransaction,
  wholeShard,
} from "./examples.js";

const group = "Transactions";
const verbs = ["GET", "POST"] as const;
const immutable = { kind: "immutable" } as const;

const blockParams = z
  .object({
    workchain: int32().describe("-1 for the masterchain, 0 for the basechain."),
    shard: shard.describe("Shard as a signed decimal; a sub-shard of it also works."),
    seqno: int32({ atLeast: 1 }).describe("Seqno of the block."),
    root_hash: optionalHash.describe("Root hash of the block; requires `file_hash`."),
    file_hash: optionalHash.describe("File hash of the block; requires `root_hash`."),
    after_lt: int64({ atLeast: 0 })
      .optional()
      .describe("Logical time of the transaction to continue after; together with `after_hash`."),
    after_hash: optionalAccountId.describe("Account of that transaction; together with `after_lt`."),
    count: count({ atLeast: 1, atMost: 10_000 }).prefault(40).describe("Maximum number of transactions."),
  })
  .check(
    rule(({ after_lt, after_hash }) =>
      (after_lt === undefined) === (after_hash === undefined)
        ? undefined
        : "after_lt and after_hash should be used together",
    ),
  );

const listed = {
  id: blockId.describe("The block."),
  req_count: z.int().describe("Number of transactions requested."),
  incomplete: z.boolean().describe("Whether the block may have more transactions after the last one."),
};

const accountParams = {
  address: accountAddress.describe("The account."),
  limit: count({ atLeast: 1, atMost: 1000 }).prefault(10).describe("Maximum number of transactions."),
  lt: int64({ atLeast: 0 })
    .optional()
    .describe(
      "Logical time of the transaction to start from; together with `hash`. Default: the last transaction.",
    ),
  hash: optionalHash.describe("Hash of the transaction to start from; together with `lt`."),
  to_lt: int64().prefault(0).describe("Only transactions after this logical time."),
  archival: optionalFlag.describe("Prefer liteservers with the longest history."),
};

const together = "lt and hash should be used together";

const locateParams = z.object({
  source: accountAddress.describe("Sender of the message."),
  destination: accountAddress.describe("Receiver of the message."),
  created_lt: int64({ atLeast: 0 }).describe("Logical time at which the message was created."),
});

const locateExample = {
  params: {
    source: exampleMessage.source,
    destination: exampleMessage.destination,
    created_lt: exampleMessage.created_lt,
  },
  story: {
    source: ofStory("message_source"),
    destination: ofStory("message_destination"),
    created_lt: ofStory("message_lt"),
  },
  result: exampleTransaction,
};

function locateMethod(summary: string) {
  return defineMethod({
    summary,
    group,
    verbs,
    params: locateParams,
    result: plainTransaction,
    freshness: immutable,
    errors: ["liteserver-error", "absent"],
    examples: [locateExample],
  });
}

const { account: _, ...withoutAccount } = exampleTransaction;
const { message: __, ...withoutText } = exampleMessage;
const standardExample = {
  ...withoutAccount,
  "@type": "raw.transaction" as const,
  in_msg: {
    ...withoutText,
    "@type": "raw.message" as const,
    source: { "@type": "accountAddress" as const, account_address: exampleMessage.source },
    destination: { "@type": "accountAddress" as const, account_address: exampleMessage.destination },
  },
  out_msgs: [],
};

export const transactionMethods = {
  getBlockTransactions: defineMethod({
    summary: "Account, logical time and hash of a block's transactions.",
    description: "Sorted by account, then by logical time.",
    group,
    verbs,
    params: blockParams,
    result: z.object({
      "@type": typeName("blocks.transactions"),
      ...listed,
      transactions: z.array(shortTransaction).describe("The transactions."),
    }),
    freshness: immutable,
    errors: ["liteserver-error"],
    examples: [
      {
        params: { workchain: -1, shard: wholeShard, seqno: 1, count: 1 },
        result: {
          "@type": "blocks.transactions",
          id: firstBlock,
          req_count: 1,
          incomplete: true,
          transactions: [
            {
              "@type": "blocks.shortTxId",
              mode: 135,
              account: "-1:3333333333333333333333333333333333333333333333333333333333333333",
              lt: "2000001",
              hash: "IoqSyUaG3c6uA/QEs5RRPkno1H+voANUKsj5NM/M84Q=",
            },
          ],
        },
      },
    ],
  }),

  getBlockTransactionsExt: defineMethod({
    summary: "The transactions of a block with all details.",
    description: "Sorted by account, then by logical time.",
    group,
    verbs,
    params: blockParams,
    result: z.object({
      "@type": typeName("blocks.transactionsExt"),
      ...listed,
      transactions: z.array(blockTransaction).describe("The transactions."),
    }),
    freshness: immutable,
    errors: ["liteserver-error"],
    examples: [
      {
        params: {
          workchain: 0,
          shard: wholeShard,
          seqno: 2,
          count: 1,
          after_lt: "3000001",
          after_hash: faucet,
        },
        story: { workchain: 0, shard: wholeShard, seqno: 3, count: 1 },
        result: {
          "@type": "blocks.transactionsExt",
          id: exampleShardBlock,
          req_count: 1,
          incomplete: true,
          transactions: [
            { ...standardExample, "@type": "raw.transactionExt", account: exampleTransaction.account },
          ],
        },
      },
    ],
  }),

  getTransactions: defineMethod({
    summary: "The transactions of an account, newest first.",
    description:
      "Starts at the last transaction, or at the one given by `lt` and `hash`, inclusive. For the next page, pass the last transaction of this one, and skip it in the answer.",
    group,
    verbs,
    params: z.object(accountParams).check(
      // A logical time of 0 counts as absent here.
      rule(({ lt, hash }) => (!lt === (hash === undefined) ? undefined : together)),
    ),
    result: z.array(plainTransaction).describe("The transactions."),
    freshness: { kind: "head", pinnedBy: ["lt", "hash"] },
    errors: ["liteserver-error"],
    examples: [
      {
        params: { address: friend, limit: 1 },
        story: { address: ofStory("ann"), limit: 1 },
        result: [exampleTransaction],
      },
      {
        params: { address: nobody },
        story: { address: ofStory("jetton_wallet"), limit: 2 },
        result: [],
      },
    ],
  }),

  getTransactionsStd: defineMethod({
    summary: "The transactions of an account, newest first, with the start of the next page.",
    group,
    verbs,
    params: z
      .object(accountParams)
      .check(rule(({ lt, hash }) => ((lt === undefined) === (hash === undefined) ? undefined : together))),
    result: z.object({
      "@type": typeName("raw.transactions"),
      transactions: z.array(standardTransaction).describe("The transactions."),
      previous_transaction_id: transactionId.describe("The transaction that the next page starts at."),
    }),
    freshness: { kind: "head", pinnedBy: ["lt", "hash"] },
    errors: ["liteserver-error"],
    examples: [
      {
        params: { address: friend, limit: 1 },
        story: { address: ofStory("ann"), limit: 1 },
        result: {
          "@type": "raw.transactions",
          transactions: [standardExample],
          previous_transaction_id: noTransaction,
        },
      },
    ],
  }),

  tryLocateTx: locateMethod("The transaction that a message caused."),
  tryLocateResultTx: locateMethod("The transaction that a message caused, as `tryLocateTx`."),
  tryLocateSourceTx: locateMethod("The transaction that sent a message."),
};
