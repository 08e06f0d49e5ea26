import { z } from "zod";
import {
  bocBase64,
  friendlyAddress,
  hashBase64,
  hashHex,
  hashOrNone,
  logicalTime,
  nanotons,
  quantity,
  shardNumber,
  unixTime,
} from "../../forms/values.js";

// Records of v4 results, as TonClient4 of @ton/ton reads them.

const decimal = z.string().regex(/^-?\d+$/);

/** The members of a block id. */
const idParts = {
  workchain: z.int().describe("-1 for the masterchain, 0 for the basechain."),
  seqno: z.int().describe("Seqno of the block."),
  shard: shardNumber,
  rootHash: hashBase64.describe("Hash of the block's root cell."),
  fileHash: hashBase64.describe("SHA-256 of the block's file."),
};

export const v4BlockId = z.object(idParts).meta({ id: "v4.BlockId", description: "A block id." });

export const v4Shard = z
  .object({
    ...idParts,
    transactions: z
      .array(
        z
          .object({
            account: friendlyAddress.describe("The account."),
            hash: hashBase64.describe("Hash of the transaction."),
            lt: logicalTime.describe("Logical time of the transaction."),
          })
          .describe("A transaction."),
      )
      .describe("The transactions of the block."),
  })
  .meta({ id: "v4.Shard", description: "A block with the ids of its transactions." });

/** A result that may not exist, with its content in the member `name`. */
export function ifExists<Name extends string, Content extends z.ZodType>(name: Name, content: Content) {
  return z
    .union([
      z.object({ exist: z.literal(false).describe("There is none.") }).describe("No such block."),
      z
        .object({
          exist: z.literal(true).describe("There is one."),
          ...({ [name]: content } as { [Key in Name]: Content }),
        })
        .describe("The block exists."),
    ])
    .describe("`exist` tells whether there is such a block.");
}

const frozen = z
  .object({
    type: z.literal("frozen").describe("The account is frozen."),
    stateHash: hashBase64.describe("Hash of its former state."),
  })
  .describe("A frozen account.");
const uninit = z
  .object({ type: z.literal("uninit").describe("The account has no code, or does not exist.") })
  .describe("An account without code.");
const cell = bocBase64.nullable();

const storageStat = z
  .object({
    lastPaid: unixTime.describe("Until when storage is paid, in Unix time."),
    duePayment: nanotons.nullable().describe("Nanotons that the account owes; null if none."),
    used: z
      .object({
        bits: z.int().describe("Bits of the account's cells."),
        cells: z.int().describe("The account's cells."),
      })
      .describe("Storage that the account uses."),
  })
  .describe("Storage of the account.");

function accountWith<State extends z.ZodType>(state: State) {
  return z.object({
    state: z.union([uninit, state, frozen]).describe("State of the account."),
    balance: z
      .object({
        coins: nanotons.describe("Balance in nanotons."),
        currencies: z
          .record(z.string(), decimal.describe("Amount in its smallest unit, decimal."))
          .describe("Amounts of extra currencies by their ids."),
      })
      .describe("Balance of the account."),
    last: z
      .object({
        lt: logicalTime.describe("Logical time of the transaction."),
        hash: hashBase64.describe("Hash of the transaction."),
      })
      .describe("A transaction of the account.")
      .nullable()
      .describe("The last transaction; null if there is none."),
    storageStat: storageStat.nullable().describe("Storage of the account; null if it does not exist."),
  });
}

export const v4Account = accountWith(
  z
    .object({
      type: z.literal("active").describe("The account is active."),
      code: cell.describe("Code in a bag of cells; null if there is none."),
      data: cell.describe("Data in a bag of cells; null if there are none."),
    })
    .describe("An active account."),
).meta({ id: "v4.Account", description: "An account." });

export const v4AccountLite = accountWith(
  z
    .object({
      type: z.literal("active").describe("The account is active."),
      codeHash: hashOrNone.describe("Hash of the code; empty if there is none."),
      dataHash: hashOrNone.describe("Hash of the data; empty if there are none."),
    })
    .describe("An active account."),
).meta({ id: "v4.AccountLite", description: "An account, with hashes in place of code and data." });

type V4StackItem =
  | { type: "null" | "nan" }
  | { type: "int"; value: string }
  | { type: "cell" | "slice" | "builder"; cell: string }
  | { type: "tuple"; items: V4StackItem[] };

const kind = <const Kind extends string>(name: Kind) => z.literal(name).describe("Kind of the value.");
const content = bocBase64.describe("Its content in a bag of cells.");

/** A value on a stack; tuples are nested. */
export const v4StackItem: z.ZodType<V4StackItem> = z
  .lazy(() =>
    z.discriminatedUnion("type", [
      z.object({ type: kind("null") }).describe("No value."),
      z.object({ type: kind("nan") }).describe("The result of an overflow, which is no number."),
      z
        .object({ type: kind("int"), value: decimal.describe("The integer, decimal.") })
        .describe("An integer."),
      z.object({ type: kind("cell"), cell: content }).describe("A cell."),
      z.object({ type: kind("slice"), cell: content }).describe("A slice."),
      z.object({ type: kind("builder"), cell: content }).describe("A builder."),
      z
        .object({ type: kind("tuple"), items: z.array(v4StackItem).describe("The items.") })
        .describe("A tuple."),
    ]),
  )
  .meta({ id: "v4.StackItem", description: "A value on a stack." });

const external = z
  .object({
    bits: z.int().describe("Length of the address."),
    data: z.string().describe("The address as a number in hex."),
  })
  .describe("An external address.");

const messageInfo = z
  .union([
    z
      .object({
        type: z.literal("internal").describe("Kind of the message."),
        value: nanotons.describe("Value in nanotons."),
        dest: friendlyAddress.describe("The receiver."),
        src: friendlyAddress.describe("The sender."),
        bounced: z.boolean().describe("Whether the message has bounced."),
        bounce: z.boolean().describe("Whether it bounces if its receiver fails."),
        ihrDisabled: z.boolean().describe("Whether it takes the usual route only."),
        createdAt: unixTime.describe("Unix time of its creation."),
        createdLt: logicalTime.describe("Logical time of its creation."),
        fwdFee: nanotons.describe("Fee for forwarding."),
        ihrFee: nanotons.describe("Field that formerly was a fee for fast forwarding."),
      })
      .describe("A message between accounts."),
    z
      .object({
        type: z.literal("external-in").describe("Kind of the message."),
        dest: friendlyAddress.describe("The receiver."),
        src: external.nullable().describe("The sender; null if there is none."),
        importFee: nanotons.describe("Fee for the import."),
      })
      .describe("A message from outside."),
    z
      .object({
        type: z.literal("external-out").describe("Kind of the message."),
        dest: external.nullable().describe("The receiver; null if there is none."),
      })
      .describe("A message to the outside."),
  ])
  .describe("Header of the message.");

const v4Message = z
  .object({
    body: bocBase64.describe("Body in a bag of cells."),
    info: messageInfo,
    init: z
      .object({
        splitDepth: z.int().nullable().describe("Length of the fixed prefix; null if there is none."),
        code: cell.describe("Code in a bag of cells; null if there is none."),
        data: cell.describe("Data in a bag of cells; null if there are none."),
        special: z
          .object({
            tick: z.boolean().describe("Whether it runs at the beginning of each block."),
            tock: z.boolean().describe("Whether it runs at the end of each block."),
          })
          .describe("When the account runs without a message.")
          .nullable()
          .describe("Whether the account runs in each block; null for ordinary ones."),
      })
      .describe("An initial state.")
      .nullable()
      .describe("Initial state of the receiver; null if there is none."),
  })
  .meta({ id: "v4.Message", description: "A message." });

const status = z.enum(["uninitialized", "frozen", "active", "non-existing"]);

const parsed = z
  .object({
    seqno: z.int().nullable().describe("Seqno of an order to a wallet; null for other messages."),
    body: z
      .union([
        z
          .object({
            type: z.literal("comment").describe("Kind of the body."),
            comment: z.string().describe("The text."),
          })
          .describe("A comment."),
        z
          .object({
            type: z.literal("payload").describe("Kind of the body."),
            cell: bocBase64.describe("The body in a bag of cells."),
          })
          .describe("A body with an opcode."),
      ])
      .nullable()
      .describe(
        "Body of the message received, or of the first one that an order to a wallet sends; null if it is empty.",
      ),
    status: z
      .enum(["success", "failed", "pending"])
      .describe("`failed` for an external message after which nothing was sent."),
    dest: friendlyAddress.nullable().describe("Receiver of the message that an order to a wallet sends."),
    kind: z.enum(["out", "in"]).describe("`in` for a transaction by an internal message."),
    amount: decimal.describe("Nanotons received, less those sent."),
    resolvedAddress: friendlyAddress.describe("The other side, or the account itself."),
    bounced: z.boolean().describe("Whether the message received has bounced."),
    mentioned: z.array(friendlyAddress).describe("Other accounts at its messages."),
  })
  .describe("What the transaction means.");

const operation = z
  .object({
    address: friendlyAddress.describe("The other side of a transfer of jettons, or the account itself."),
    comment: z.string().optional().describe("The comment."),
    items: z
      .array(
        z
          .object({
            kind: z.enum(["ton", "token"]).describe("What is moved."),
            amount: decimal.describe("The amount in its smallest unit."),
          })
          .describe("An amount."),
      )
      .describe("The amounts moved."),
    op: z
      .object({
        type: z
          .enum([
            "jetton::excesses",
            "jetton::transfer",
            "jetton::transfer_notification",
            "deposit",
            "deposit::ok",
            "withdraw",
            "withdraw::all",
            "withdraw::delayed",
            "withdraw::ok",
            "airdrop",
          ])
          .describe("Kind of the operation."),
        options: z
          .record(z.string(), z.string().describe("The value."))
          .optional()
          .describe("Details of the operation."),
      })
      .optional()
      .describe("The operation, if it is a known one."),
  })
  .describe("The operation that the body asks for.");

export const v4Transaction = z
  .object({
    address: friendlyAddress.describe("The account."),
    lt: logicalTime.describe("Logical time of the transaction."),
    hash: hashBase64.describe("Hash of the transaction."),
    prevTransaction: z
      .object({
        lt: logicalTime.describe("Logical time of the transaction; `0` if there is none."),
        hash: hashHex.describe("Hash of the transaction in hex; zeros if there is none."),
      })
      .describe("The account's transaction before it."),
    time: unixTime.describe("Unix time of the transaction."),
    outMessagesCount: quantity.describe("Number of messages sent."),
    oldStatus: status.describe("Status of the account before it."),
    newStatus: status.describe("Status of the account after it."),
    fees: nanotons.describe("Fees in nanotons."),
    update: z
      .object({
        oldHash: hashBase64.describe("Hash of the account before it."),
        newHash: hashBase64.describe("Hash of the account after it."),
      })
      .describe("Change of the account's state."),
    inMessage: v4Message.nullable().describe("The message received; null if there is none."),
    outMessages: z.array(v4Message).describe("The messages sent."),
    parsed,
    operation,
  })
  .meta({ id: "v4.Transaction", description: "A transaction." });

/** What WebSockets at `/api/v4/block/watch` are sent. */
export const v4WatchedBlock = z
  .object({
    seqno: z.int().describe("Seqno of the masterchain block."),
    time: unixTime.describe("Unix time of the block."),
    now: unixTime.describe("Unix time of the service."),
  })
  .meta({ id: "v4.WatchedBlock", description: "A new masterchain block." });

/** What WebSockets at `/api/v4/block/watch/changed` are sent. */
export const v4WatchedChanges = z
  .object({
    seqno: z.int().describe("Seqno of the masterchain block."),
    changed: z
      .record(
        z.string(),
        z
          .object({
            lt: logicalTime.describe("Logical time of the transaction."),
            hash: hashBase64.describe("Hash of the transaction."),
          })
          .describe("The account's last transaction in the block."),
      )
      .describe("The accounts with transactions in the block or its shard blocks, by friendly address."),
    lastUtime: unixTime.describe("Unix time of the block."),
  })
  .meta({
    id: "v4.WatchedChanges",
    description: "A new masterchain block, with the accounts that it changed.",
  });
