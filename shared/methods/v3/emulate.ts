import { z } from "zod";
import { overrides } from "../../schema/overrides.js";
import { includeAbi } from "../../schema/v3/abi.js";
import {
  emulatedBoc,
  emulatedExpiry,
  emulatedSender,
  emulatedTrace,
  emulationFlag,
  emulationSeqno,
  requestedMessages,
} from "../../schema/v3/emulate.js";
import { bundle } from "../../schema/v3/emulate-bundle.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { includeText, supportedActionTypes } from "./actions.js";
import { exampleTransfer, nobody } from "./examples.js";
import { includeHint } from "./message-status.js";

const common = {
  group: "Emulation",
  verbs: ["POST"],
  bodyRefusal: "invalid request: ",
  freshness: { kind: "none" },
  runsTransactions: true,
  result: emulatedTrace,
  errors: ["bad-boc", "message-rejected", "liteserver-error", "timeout", "too-large"],
} as const;

const limits =
  "Nothing is sent. The blocks to come are taken to contain nothing else, a second apart. An emulation may take 3 seconds, and a trace in it a second of processor time: a longer one is cut (`is_incomplete`).";

const extras = {
  with_actions: emulationFlag("with_actions", "Include the actions."),
  include_code_data: emulationFlag("include_code_data", "Include codes and data of the accounts."),
  include_address_book: emulationFlag("include_address_book", "Include the address book."),
  include_metadata: emulationFlag(
    "include_metadata",
    "Include metadata of tokens, also of those that exist in the emulation only.",
  ),
  mc_block_seqno: emulationSeqno
    .optional()
    .describe("Masterchain block whose state the trace begins with. Default: the last one."),
  supported_action_types: supportedActionTypes,
  include_text: emulationFlag("include_text", includeText.description!),
  bundle: bundle
    .optional()
    .describe(
      "Up to 7 messages that follow, each on the state after the trace before it. All share the limits of one emulation.",
    ),
  overrides: overrides.optional(),
  include_abi: emulationFlag("include_abi", includeAbi.description!),
  include_hint: emulationFlag("include_hint", includeHint.description!),
};

const example = {
  mc_block_seqno: 12,
  trace: {
    tx_hash: "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=",
    in_msg_hash: "+jI/3HZqNaImUBEyeUTvmHxkqr/eLcBYSpL7Hvo6ceg=",
    children: [],
  },
  transactions: {},
  actions: [],
  rand_seed: "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=",
  is_incomplete: false,
};

export const emulateMethods = {
  emulate: {
    trace: defineMethod({
      ...common,
      summary: "Trace that a message would start.",
      description: `The message is external, or an internal one that was not sent. An external one is received after the pending ones of its receiver, unless \`mc_block_seqno\` is given. ${limits}`,
      path: "/api/emulate/v1/emulateTrace",
      params: z.object({
        boc: emulatedBoc.describe("The message as a bag of cells, base64."),
        ignore_chksig: emulationFlag(
          "ignore_chksig",
          "Let the first contract accept any signature, so that the message need not be signed yet.",
        ),
        ...extras,
      }),
      examples: [{ params: { boc: exampleTransfer }, result: example }],
    }),

    tonConnect: defineMethod({
      ...common,
      summary: "Trace that would follow from a wallet's messages, given in the form of TON Connect.",
      description:
        "The wallet's external message is composed from its code, seqno and id: versions v3, v4 and v5r1, and Telegram's wallet. " +
        `Without other word, actions are those of \`v1\`. ${limits}`,
      path: "/api/emulate/v1/emulateTonConnect",
      params: z.object({
        from: emulatedSender.describe("Address of the wallet, in any form."),
        messages: requestedMessages.describe("The messages, in the form of TON Connect."),
        valid_until: emulatedExpiry
          .optional()
          .describe(
            "When the message expires: unix time in seconds, milliseconds, microseconds or nanoseconds. Wallets v3 " +
              "ignore it. Default: 300 seconds after the block.",
          ),
        ...extras,
      }),
      examples: [
        {
          params: { from: nobody, messages: [{ address: nobody, amount: "1000000000" }] },
          story: { from: ofStory("ann"), messages: [{ address: ofStory("dan"), amount: "1000000000" }] },
          result: example,
        },
      ],
    }),
  },
};
