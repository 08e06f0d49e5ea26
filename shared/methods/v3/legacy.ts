import { z } from "zod";
import { bocBase64, extraCurrencies, hashBase64 } from "../../forms/values.js";
import { overrides } from "../../schema/overrides.js";
import { abiRun, givenAbi, includeAbi, typedArguments } from "../../schema/v3/abi.js";
import { bool, bytes, int32, requiredAddress, requiredBytes, requiredText } from "../../schema/v3/params.js";
import { decimal, nullableHash } from "../../schema/v3/records.js";
import { argumentList, stackEntry } from "../../schema/v3/stack.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { exampleBoc, exampleComment, nobody, zeroHash } from "./examples.js";

const group = "Legacy";

const account = {
  address: requiredAddress("address of account is required").describe("The account."),
  use_v2: bool.prefault(false).describe("Read from the chain instead of the index."),
};
const status = z
  .enum(["active", "uninit", "uninitialized", "frozen", "nonexist"])
  .describe("Status of the account. With `use_v2` it is `uninitialized` instead of `uninit`.");
const balance = decimal.describe("Balance in nanotons.");

const fees = z
  .object({
    in_fwd_fee: z.int().describe("Fee for importing the message."),
    storage_fee: z.int().describe("Storage fee due since the last payment."),
    gas_fee: z.int().describe("Gas fee."),
    fwd_fee: z.int().describe("Forwarding fee of the messages that the contract sends."),
  })
  .describe("Fees in nanotons.");

export const legacyMethods = {
  addressInformation: defineMethod({
    summary: "Balance, code and data of an account.",
    description: "Accounts that are not in the index are read from the chain.",
    group,
    verbs: ["GET"],
    aliases: ["v3.account"],
    freshness: { kind: "both" },
    params: z.object(account),
    result: z.object({
      balance,
      extra_currencies: extraCurrencies.optional(),
      code: bocBase64.nullable().describe("The code as a bag of cells."),
      data: bocBase64.nullable().describe("The data as a bag of cells."),
      last_transaction_lt: decimal.nullable().describe("Logical time of the last transaction."),
      last_transaction_hash: nullableHash.describe("Hash of the last transaction; zeros if there is none."),
      frozen_hash: nullableHash.describe("Hash of the state before it was frozen."),
      status,
    }),
    errors: ["liteserver-error"],
    examples: [
      {
        params: { address: nobody },
        story: { address: ofStory("ann") },
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
    summary: "Type, seqno and balance of a wallet.",
    description: "Accounts that are not in the index are read from the chain.",
    group,
    verbs: ["GET"],
    aliases: ["v3.wallet"],
    freshness: { kind: "both" },
    params: z.object(account),
    result: z.object({
      balance,
      wallet_type: z.string().optional().describe("Type of the wallet, such as `wallet v4 r2`."),
      seqno: z.int().optional().describe("Seqno of the next message to the wallet."),
      wallet_id: z.int().optional().describe("Id that distinguishes wallets with the same key."),
      last_transaction_lt: decimal.describe("Logical time of the last transaction."),
      last_transaction_hash: hashBase64.describe("Hash of the last transaction; zeros if there is none."),
      status,
    }),
    errors: ["liteserver-error", "not-a-token"],
    examples: [
      {
        params: { address: nobody },
        story: { address: ofStory("cleo") },
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
    description:
      "Answers once the message is accepted, without waiting for a block. The error of a rejected message has the reason.",
    group,
    verbs: ["POST"],
    freshness: { kind: "effect" },
    params: z.object({
      boc: requiredBytes("boc is required").describe("The message as a bag of cells, base64."),
    }),
    result: z.object({
      message_hash: hashBase64.optional().describe("Hash of the message as sent."),
      message_hash_norm: hashBase64
        .optional()
        .describe("Normalized hash, which does not depend on the layout of the message."),
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
    summary: "Estimates the fees of an external message.",
    group,
    verbs: ["POST"],
    freshness: { kind: "none" },
    params: z.object({
      address: requiredAddress("address is required").describe("Receiver of the message."),
      body: bytes.prefault("").describe("Body of the message as a bag of cells, base64."),
      init_code: bytes.prefault("").describe("Code to deploy."),
      init_data: bytes.prefault("").describe("Data to deploy."),
      ignore_chksig: bool.optional().describe("Accept any signature."),
      seqno: int32
        .optional()
        .describe("Masterchain block whose state is taken, without waiting messages. Default: the last one."),
      overrides: overrides.optional(),
    }),
    result: z.object({
      source_fees: fees.describe("Fees of the account."),
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
    summary: "Runs a get-method of a contract.",
    group,
    verbs: ["POST"],
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    params: z.object({
      address: requiredAddress("address is required").describe("The contract."),
      method: requiredText("method is required").describe("Name or id of the get-method."),
      stack: argumentList.prefault([]).describe("Arguments in order."),
      seqno: int32.optional().describe("Masterchain block to run at. Default: the last one."),
      overrides: overrides.optional(),
      args: typedArguments
        .optional()
        .describe(
          "Arguments in place of `stack`, in order or by name, in the types of the contract's ABI, which the service needs to have. The answer has `abi`.",
        ),
      include_abi: includeAbi,
      abi: givenAbi
        .optional()
        .describe(
          "With `args` or `include_abi`: an ABI of the contract as the text of its file, which comes before those of the service.",
        ),
    }),
    result: z.object({
      gas_used: z.int().describe("Gas used."),
      exit_code: z
        .int()
        .describe("0 or 1: success; 11: no such method; -13: no code; otherwise the contract's exception."),
      stack: z.array(stackEntry).describe("The resulting stack, from bottom to top."),
      abi: abiRun
        .nullable()
        .optional()
        .describe("On request, and with `args`; null if no ABI of the contract has the method."),
    }),
    errors: ["bad-boc", "liteserver-error", "stack-too-deep"],
    examples: [
      {
        params: { address: nobody, method: "seqno", stack: [] },
        story: { address: ofStory("ann"), method: "seqno", stack: [] },
        result: { gas_used: 0, exit_code: -13, stack: [{ type: "num", value: "0x14c97" }] },
      },
    ],
  }),
};
