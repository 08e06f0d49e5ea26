import { z } from "zod";
import {
  hashBase64,
  opcodeHex,
  quantity,
  rawAddressUpper,
  signed32,
  unixTime,
  unsigned32,
} from "../../forms/values.js";
import { abiSource } from "./abi.js";
import { blockRef, decimal, interfaceNames, nullableHash } from "./records.js";
import { texts } from "./texts.js";

/** Failed transactions of a trace that an answer shows. */
export const maxShownFailures = 16;

/** Operations of a contract that a failure lists. */
export const maxShownOperations = 16;

export const failurePhases = ["storage", "credit", "compute", "action"] as const;

const place = {
  account: rawAddressUpper.describe("The account."),
  hash: hashBase64.describe("Hash of the transaction."),
  lt: decimal.describe("Logical time of the transaction."),
};

const refund = z
  .object({
    account: rawAddressUpper.describe("Who gets the value back: the sender of the message that failed."),
    value: decimal.describe("Returned amount, in nanotons."),
  })
  .describe("The value that the failed transaction sent back.");

const failedAction = z
  .object({
    number: quantity.describe("Its place in the list of actions, from 0."),
    account: rawAddressUpper
      .nullable()
      .describe("Receiver of the message that was not sent; null if it is not known."),
    value: decimal.nullable().describe("Value of that message, in nanotons; null if it is not known."),
    available: decimal
      .nullable()
      .describe("Balance that was left for it, in nanotons; null if it is not known."),
  })
  .describe("The action that failed. Of its message more is known with `include_hint`.");

export const traceFailure = z
  .object({
    ...place,
    interfaces: interfaceNames.describe(
      "Names of the interfaces of the contract; empty for contracts that are not known.",
    ),
    source: rawAddressUpper
      .nullable()
      .describe("Sender of the message that the transaction received; null for a message from outside."),
    value: decimal
      .nullable()
      .describe("Value of that message, in nanotons; null for a message from outside."),
    opcode: opcodeHex.nullable().describe("Opcode of the message that the transaction received."),
    operation: z.string().nullable().describe("Name of the opcode; null if it is not known, or has several."),
    operations: z
      .array(z.string())
      .optional()
      .describe(
        `Operations that the contract knows by its ABI, the first ${maxShownOperations}; only if it did not know this one.`,
      ),
    phase: z
      .enum(failurePhases)
      .describe(
        "Where it stopped. `storage`: the account was frozen or deleted for its debt. `credit`: debts took the value of the message. " +
          "`compute`: the contract failed or was not run. `action`: an action of the contract failed, such as sending a message.",
      ),
    exit_code: signed32
      .nullable()
      .describe("Exit code of the compute phase, or result code of the action phase; null if no code ran."),
    exit_name: z.string().nullable().describe("Name of the code; null if its meaning is not known."),
    exit_meaning: z.string().nullable().describe("Meaning of the code, a sentence; null if unknown."),
    exit_source: abiSource
      .optional()
      .describe("The ABI that names the code; absent if the service itself knows it, or nobody does."),
    skipped_reason: z
      .enum(["no_state", "bad_state", "no_gas", "suspended"])
      .nullable()
      .describe("Why the contract was not run; null if it was."),
    gas_used: decimal.nullable().describe("Gas that the contract used; null if it was not run."),
    became: z
      .enum(["frozen", "deleted"])
      .nullable()
      .describe("What the account became for its debt; null if it stayed what it was."),
    debt: decimal.nullable().describe("Storage fees that the account still owes, in nanotons; null if none."),
    library: hashBase64
      .optional()
      .describe("Hash of the library that is the contract's code, if the masterchain does not have it."),
    failed_action: failedAction
      .nullable()
      .describe("The action that failed; null if none did, or if it is not known which."),
    skipped_actions: quantity.describe(
      "Actions that failed and that the contract, such as a wallet, had ordered to leave out.",
    ),
    bounce: z
      .enum(["ok", "nofunds", "negfunds"])
      .nullable()
      .describe("Outcome of the bounce phase; null if the message was not to be returned."),
    refund: refund.nullable().describe("The value that was sent back; null if none was."),
    needed: decimal
      .optional()
      .describe(
        "Value, in nanotons, with which nothing failed when the message was tried again; only with `include_hint`, and if there is one. " +
          "It is the value of the message that the first transaction sent, or the balance that its account needs if it failed itself.",
      ),
    hint: z
      .string()
      .optional()
      .describe("What can be done about it, in English; absent if nothing is known."),
  })
  .meta({ id: "TraceFailure", description: "A transaction that failed." });

const outcome = {
  success: z
    .boolean()
    .describe(
      "Whether no transaction of the trace failed. One failed if it was aborted, except that a message which is not to be returned may be " +
        "received without being run: by an account without code, or as its value does not buy the gas, unless a debt took the value. The " +
        "first contract has also failed if it had to leave out actions that failed, or ended with an error after it had committed its data.",
    ),
  failure: traceFailure.nullable().describe("The failed transaction with the lowest logical time."),
  failures: z
    .array(traceFailure)
    .describe(`Failed transactions by logical time, the first ${maxShownFailures} of them.`),
  failures_total: quantity.describe("Number of failed transactions."),
  transactions: quantity.describe("Number of transactions of the trace."),
};

/** Of a trace that is expected. */
export const expectedOutcome = z
  .object(outcome)
  .meta({ id: "ExpectedOutcome", description: "Whether a trace succeeds, and what fails in it." });

const expected = z
  .object({
    ...outcome,
    is_incomplete: z.boolean().describe("Whether it goes on beyond the limits of emulation."),
  })
  .describe("Expected trace, emulated on the newest block.");

const transactionRef = z
  .object({
    ...place,
    now: unixTime,
    success: z.boolean().describe("Whether this transaction did not fail; see `success` of the trace."),
  })
  .meta({ id: "TransactionOutcome", description: "A transaction." });

const wallet = z
  .object({
    account: rawAddressUpper.describe("Address of the wallet."),
    interface: z.string().describe("Name of its interface, such as `wallet_v4r2`."),
    seqno: z.int().nullable().describe("Seqno in the message; null if such wallets have none."),
    next_seqno: z.int().nullable().describe("Seqno that the wallet expects; null if it has none."),
    valid_until: unixTime.nullable().describe("When the message expires; null if it has no expiry."),
  })
  .meta({ id: "MessageForWallet", description: "Content of the message for its wallet." });

const common = {
  message_hash: hashBase64.describe(
    "Hash of the message as sent; if the message is not known, the hash that was asked for.",
  ),
  message_hash_norm: nullableHash.describe(
    "Normalized hash of an external message; null for others, and if the message is not known.",
  ),
  ...texts,
};

const orWallet = wallet
  .nullable()
  .describe("Content of the message for its wallet; null if the receiver is no known kind of wallet.");

const inTrace = {
  transaction: transactionRef.describe(
    "The transaction that received the message; for a message without a receiver the one that sent it.",
  ),
  block: blockRef.describe("The block of the transaction."),
  mc_block_seqno: unsigned32
    .nullable()
    .describe("The masterchain block that registers it; null before there is one."),
  trace_id: nullableHash.describe("Id of the trace; null without an index."),
};

const unknownReasons = [
  "not_found",
  "acceptable",
  "seqno_ahead",
  "before_index",
  "not_external",
  "no_account",
  "unknown_contract",
  "unreadable",
] as const;

export const messageStatus = z
  .discriminatedUnion("status", [
    z
      .object({
        status: z.literal("unknown").describe("The fate of the message is not known."),
        ...common,
        wallet: orWallet,
        reason: z
          .enum(unknownReasons)
          .describe(
            "Why. `not_found`: nothing is known of the hash; with `boc` more can be said. `acceptable`: it was not sent through this service, and its " +
              "wallet would still accept it. `seqno_ahead`: as before, but messages with lower seqnos have to come first. `before_index`: it may have been received before the " +
              "blocks of the index. `not_external`: it is a message between contracts that no transaction is known to have sent. `no_account`: its receiver has no code. " +
              "`unknown_contract`: its receiver is no wallet that is known. `unreadable`: it is no request to its wallet.",
          ),
      })
      .describe("Nothing is known."),
    z
      .object({
        status: z.literal("pending").describe("The message waits for a block."),
        ...common,
        wallet: orWallet,
        sent_by: transactionRef
          .nullable()
          .describe("The transaction that sent it; null for external messages."),
        expected: expected
          .nullable()
          .describe("Null if its receiver would not accept it now, or if it was not emulated."),
      })
      .describe("Sent, and not received yet."),
    z
      .object({
        status: z.literal("included").describe("The message is in a block, and more follows from it."),
        ...common,
        ...inTrace,
        finality: z
          .enum(["confirmed", "finalized"])
          .describe("`confirmed`: the index does not have the block yet."),
        pending_messages: quantity
          .nullable()
          .describe("Messages of the trace that wait to be received; null if that is not known."),
        failures: z
          .array(traceFailure)
          .describe("Transactions of the trace that failed so far, as in `completed`."),
        failures_total: quantity.describe("Number of transactions that failed so far."),
      })
      .describe("In a block, while its trace goes on. Without an index no trace is known to be complete."),
    z
      .object({
        status: z.literal("completed").describe("The trace of the message is complete."),
        ...common,
        ...inTrace,
        ...outcome,
      })
      .describe("Everything that followed has happened."),
    z
      .object({
        status: z.literal("expired").describe("The message can never be accepted."),
        ...common,
        wallet,
        reason: z
          .enum(["valid_until", "seqno"])
          .describe(
            "`valid_until`: it expired by the time of the chain. `seqno`: another message has used its seqno.",
          ),
        replaced_by: z
          .object({
            message_hash: hashBase64.describe("Hash of the message as sent."),
            message_hash_norm: nullableHash.describe("Normalized hash of the message."),
            transaction: transactionRef.describe("The transaction that received it."),
          })
          .describe("A message.")
          .nullable()
          .describe("The message that used the seqno; null if it is not known."),
      })
      .describe("It can never be accepted."),
    z
      .object({
        status: z.literal("dropped").describe("The message was pending, and no node keeps it any more."),
        ...common,
        wallet: orWallet,
        sent_utime: unixTime.describe("When it was sent through this service, unix time in seconds."),
      })
      .describe(
        "Nodes keep a message for ten minutes. Unless `wallet` shows a reason against it, it would be accepted if it were sent again.",
      ),
  ])
  .meta({ id: "MessageStatus", description: "Status of a message." });

export type MessageStatus = z.output<typeof messageStatus>;
export type TraceFailure = z.output<typeof traceFailure>;
