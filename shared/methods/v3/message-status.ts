import { z } from "zod";
import { rule } from "../../schema/input.js";
import { messageStatus } from "../../schema/v3/message-status.js";
import { bool, bytes, hash } from "../../schema/v3/params.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { includeText } from "./actions.js";
import { exampleHash } from "./examples.js";

const triedHint =
  "Run the message of a trace that failed again, to find the action that failed, and an amount with which nothing fails. Its `hint` proposes " +
  "that one.";

/** Of traces that are not in a block. */
export const includeHint = bool
  .prefault(false)
  .describe(`Include \`outcome\`: what fails, in words, with hints. ${triedHint}`);

export const messageStatusMethods = {
  messageStatus: defineMethod({
    summary: "Status of a message.",
    description:
      "Of an external message by its hash, as sent or normalized, or of any message by its hash. Final are `completed`, `expired` and `dropped`. " +
      "Messages that were sent through this service are kept, so that their hash is enough; of others more can be said with the message itself. " +
      "Without an index the last transactions of the receiver are searched, and no trace is known to be complete.",
    group: "Actions and traces",
    verbs: ["GET", "POST"],
    freshness: { kind: "index" },
    params: z
      .object({
        hash: hash.optional().describe("Hash of the message, as sent or normalized."),
        boc: bytes.optional().describe("The message as a bag of cells, base64, in place of its hash."),
        include_text: includeText,
        include_hint: bool.prefault(false).describe(triedHint),
      })
      .check(
        rule(({ hash, boc }) => {
          if (hash === undefined && boc === undefined) return "hash or boc is required";
          return hash !== undefined && boc !== undefined ? "only one of hash, boc can be given" : undefined;
        }),
      ),
    result: messageStatus.describe("Status of the message."),
    errors: ["bad-boc", "liteserver-error"],
    examples: [
      {
        params: { hash: exampleHash },
        story: { hash: ofStory("message_hash") },
        result: {
          status: "unknown",
          message_hash: exampleHash,
          message_hash_norm: null,
          wallet: null,
          reason: "not_found",
        },
      },
    ],
  }),
};
