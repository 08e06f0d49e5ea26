import { z } from "zod";
import { bocBase64, hashBase64 } from "../../schema/results.js";
import { bool, int32, neededAddress, neededText, text } from "../../schema/v3-params.js";
import { decimal, nullableHash } from "../../schema/v3-records.js";
import { argumentList, stackEntry } from "../../schema/v3-stack.js";
import { defineMethod } from "../define.js";
import { exampleBoc, exampleComment, nobody, zeroHash } from "./examples.js";

const group = "Legacy";

const account = {
  address: neededAddress("address of account is required").describe("The account."),
  use_v2: bool.prefault(false).describe("Whether to ask the chain rather than the index."),
};
const status = z
  .enum(["active", "uninit", "uninitialized", "frozen", "nonexist"])
  .describe("Whether the account has code; `uninitialized` is how the chain says `uninit`.");
const balance = decimal.describe("Balance in nanotons.");

const fees = z
  .object({
    in_fwd_fee: z.int().describe("For bringing the message into the network."),
    storage_fee: z.int().describe("Rent of the account since it was paid last."),
    gas_fee: z.int().describe("For running the contract."),
    fwd_fee: z.int().describe("For the messages the contract sends."),
  })
  .describe("Fees in nanotons.");

export const legacyMethods = {
  addressInformation: defineMethod({
    summary: "Balance, code and data of an account.",
    description: "An account the index does not know is looked up in the chain.",
    group,
    verbs: ["GET"],
    aliases: ["v3.account"],
    freshness: { kind: "both" },
    params: z.object(account),
    result: z.object({
      balance,
      code: bocBase64.nullable().describe("The code as a bag of cells."),
      data: bocBase64.nullable().describe("The data as a bag of cells."),
      last_transaction_lt: decimal.nullable().describe("Logical time of the last transaction."),
      last_transaction_hash: nullableHash.describe("Hash of the last transaction; zeros when there is none."),
      frozen_hash: nullableHash.describe("Hash of the state before it was frozen."),
      status,
    }),
    errors: ["liteserver-error"],
    examples: [
      {
        params: { address: nobody },
        result: {
          balance: "0",
          code: null,
          data: null,
          last_transaction_lt: "0",
          last_transaction_hash: zeroHash,
          frozen_hash: null,
          status: "uninit",
        },
      },
    ],
  }),

  walletInformation: defineMethod({
    summary: "Kind, seqno and balance of a wallet.",
    description: "An account the index does not know is looked up in the chain.",
    group,
    verbs: ["GET"],
    aliases: ["v3.wallet"],
    freshness: { kind: "both" },
    params: z.object(account),
    result: z.object({
      balance,
      wallet_type: z.string().optional().describe("Kind of wallet, such as `wallet v4 r2`."),
      seqno: z.int().optional().describe("Number of the next message it accepts."),
      wallet_id: z.int().optional().describe("Number that tells wallets of one key apart."),
      last_transaction_lt: decimal.describe("Logical time of the last transaction."),
      last_transaction_hash: hashBase64.describe("Hash of the last transaction; zeros when there is none."),
      status,
    }),
    errors: ["liteserver-error", "not-a-token"],
    examples: [
      {
        params: { address: nobody },
        result: {
          balance: "0",
          last_transaction_lt: "0",
          last_transaction_hash: zeroHash,
          status: "uninit",
        },
      },
    ],
  }),

  message: defineMethod({
    summary: "Sends an external message.",
    description: "Answers once the message is taken in, not waiting for a block. A refused one says why.",
    group,
    verbs: ["POST"],
    freshness: { kind: "effect" },
    params: z.object({
      boc: neededText("boc is required").describe("The message as a bag of cells, base64."),
    }),
    result: z.object({
      message_hash: hashBase64.optional().describe("Hash of the message as it was sent."),
      message_hash_norm: hashBase64
        .optional()
        .describe("Hash by which it is found, however it was laid out."),
    }),
    errors: ["bad-boc", "message-rejected", "liteserver-error"],
    examples: [
      {
        params: { boc: exampleBoc },
        result: {
          message_hash: "+jI/3HZqNaImUBEyeUTvmHxkqr/eLcBYSpL7Hvo6ceg=",
          message_hash_norm: "+jI/3HZqNaImUBEyeUTvmHxkqr/eLcBYSpL7Hvo6ceg=",
        },
      },
    ],
  }),

  estimateFee: defineMethod({
    summary: "What an external message to a contract would cost.",
    group,
    verbs: ["POST"],
    freshness: { kind: "none" },
    params: z.object({
      address: neededAddress("address is required").describe("Who gets the message."),
      body: text.prefault("").describe("Body of the message as a bag of cells, base64."),
      init_code: text.prefault("").describe("Code the message deploys."),
      init_data: text.prefault("").describe("Data the message deploys."),
      ignore_chksig: bool.optional().describe("Takes every signature for right."),
    }),
    result: z.object({
      source_fees: fees.describe("What the account pays."),
      destination_fees: z.array(fees).describe("Always empty."),
    }),
    errors: ["bad-boc", "liteserver-error"],
    examples: [
      {
        params: { address: nobody, body: exampleComment },
        result: {
          source_fees: { in_fwd_fee: 400_000, storage_fee: 0, gas_fee: 0, fwd_fee: 0 },
          destination_fees: [],
        },
      },
    ],
  }),

  runGetMethod: defineMethod({
    summary: "Runs a get-method.",
    group,
    verbs: ["POST"],
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    params: z.object({
      address: neededAddress("address is required").describe("The contract."),
      method: neededText("method is required").describe("Name of the get-method, or its number."),
      stack: argumentList.prefault([]).describe("Arguments from the first to the last."),
      seqno: int32.optional().describe("Masterchain block to run at; the last one unless given."),
    }),
    result: z.object({
      gas_used: z.int().describe("Gas the run took."),
      exit_code: z.int().describe("0 or 1: success; 11: no such method; -13: no code; else what it threw."),
      stack: z.array(stackEntry).describe("What the contract left on the stack, from bottom to top."),
    }),
    errors: ["bad-boc", "liteserver-error", "stack-too-deep"],
    examples: [
      {
        params: { address: nobody, method: "seqno", stack: [] },
        result: { gas_used: 0, exit_code: -13, stack: [{ type: "num", value: "0x14c97" }] },
      },
    ],
  }),
};
