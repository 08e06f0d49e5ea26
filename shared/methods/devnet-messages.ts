import { z } from "zod";
import { bytesBase64, hashBase64, rawAddressUpper, unixTime } from "../forms/values.js";
import { flag } from "../schema/devnet-params.js";
import { accountAddress, count, nonEmptyBytes, nonEmptyHash } from "../schema/v2/params.js";
import { defineMethod } from "./define.js";
import { effect, settled, someone } from "./devnet-common.js";

const hashes = {
  hash: hashBase64.describe("Hash of the message as sent."),
  hash_norm: hashBase64.describe("Its normalized hash."),
};

const waiting = z
  .object({
    ...hashes,
    address: rawAddressUpper.describe("The receiver."),
    received_at: unixTime.describe("When it was accepted, by the machine's clock."),
    ignore_chksig: z.boolean().describe("Whether signatures are not checked."),
    boc: bytesBase64.describe("The message as a bag of cells in base64."),
  })
  .meta({ id: "WaitingMessage", description: "An external message that waits for a block." });

const exampleHash = "UeAF1HyT9Umb6FkC4K3NB1kOnce3SUSiUyplHJYueic=";
const exampleBoc = "te6cckEBAgEAMQABRYgB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4MAQASAAAAAGhlbGxvDbfLyA==";
const exampleWaiting = {
  hash: exampleHash,
  hash_norm: exampleHash,
  address: someone,
  received_at: 1735689601,
  ignore_chksig: false,
  boc: exampleBoc,
};

/** The methods about messages from outside. */
export const messageMethods = {
  mempool: defineMethod({
    summary: "The external messages that wait for a block, oldest first.",
    ...effect,
    freshness: { kind: "none" },
    params: z.object({
      address: accountAddress.optional().describe("Only messages to this account."),
      limit: count({ atLeast: 1, atMost: 100 }).prefault(100).describe("Maximum number of messages."),
      offset: count({ atLeast: 0, atMost: 10_000 }).prefault(0).describe("Number of messages to leave out."),
    }),
    result: z.object({
      messages: z.array(waiting).describe("The messages."),
      total: z.int().describe("Number of all that wait."),
    }),
    examples: [{ params: {}, result: { messages: [exampleWaiting], total: 1 } }],
  }),

  dropMessage: defineMethod({
    summary: "Takes a message out of the mempool; it may be sent again.",
    ...effect,
    params: z.object({ hash: nonEmptyHash.describe("Its hash, as sent or normalized.") }),
    result: waiting,
    examples: [{ params: { hash: exampleHash }, result: exampleWaiting }],
    errors: ["absent"],
  }),

  sendBoc: defineMethod({
    summary: "Sends an external message, without checks of its signatures if that is wanted.",
    description:
      "With `ignore_chksig` every check of a signature succeeds in the transaction that receives the message, so that " +
      "anybody's wallet can be used without its key. Its other rules hold, as seqno and expiry.",
    ...effect,
    params: z.object({
      boc: nonEmptyBytes.describe("The message as a bag of cells in base64."),
      ignore_chksig: flag.prefault(false).describe("Whether signatures are not checked."),
    }),
    result: z.object({ ...hashes, settled }),
    examples: [
      {
        params: { boc: exampleBoc, ignore_chksig: true },
        result: { hash: exampleHash, hash_norm: exampleHash, settled: true },
      },
    ],
    errors: ["bad-boc", "message-rejected", "liteserver-error"],
  }),
};
