import { z } from "zod";
import { hashBase64 } from "../../forms/values.js";
import { accountAddress, bytes, nonEmptyBytes } from "../../schema/v2/params.js";
import { typeName } from "../../schema/v2/records.js";
import { cellObject } from "../../schema/v2/stack-params.js";
import { defineMethod } from "../define.js";
import { nobody } from "./examples.js";

const boc = nonEmptyBytes.describe("An external message as a bag of cells, base64.");

const ok = z.object({ "@type": typeName("ok") }).describe("The message was accepted.");
const sent: z.output<typeof ok> = { "@type": "ok" };

const messageInfo = z.object({
  "@type": typeName("raw.extMessageInfo"),
  hash: hashBase64.describe("Hash of the message as sent."),
  hash_norm: hashBase64.describe("Normalized hash, which does not depend on the layout of the message."),
});

const common = {
  group: "Send",
  verbs: ["POST"],
  freshness: { kind: "effect" },
  errors: ["bad-boc", "message-rejected", "liteserver-error"],
} as const;

export const exampleBoc =
  "te6cckEBAgEAMQABRYgB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4MAQASAAAAAGhlbGxvDbfLyA==";
const comment = "te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=";
const exampleInfo: z.output<typeof messageInfo> = {
  "@type": "raw.extMessageInfo",
  hash: "+jI/3HZqNaImUBEyeUTvmHxkqr/eLcBYSpL7Hvo6ceg=",
  hash_norm: "+jI/3HZqNaImUBEyeUTvmHxkqr/eLcBYSpL7Hvo6ceg=",
};
const commentObject = { data: { b64: "AAAAAGhlbGxv", len: 72 }, refs: [], special: false };

export const sendMethods = {
  sendBoc: defineMethod({
    ...common,
    summary: "Sends an external message.",
    description:
      "Answers once the message is accepted, without waiting for a block. The error of a rejected message has the reason.",
    params: z.object({ boc }),
    result: ok,
    examples: [{ params: { boc: exampleBoc }, result: sent }],
  }),

  sendBocReturnHash: defineMethod({
    ...common,
    summary: "Sends an external message and returns its hashes.",
    params: z.object({ boc }),
    result: messageInfo,
    examples: [{ params: { boc: exampleBoc }, result: exampleInfo }],
  }),

  sendBocReturnHashNoError: defineMethod({
    ...common,
    summary: "As `sendBocReturnHash`, but a rejected message has status 400.",
    params: z.object({ boc }),
    result: messageInfo,
    examples: [{ params: { boc: exampleBoc }, result: exampleInfo }],
  }),

  sendQuery: defineMethod({
    ...common,
    summary: "Sends an external message assembled from its parts.",
    params: z.object({
      address: accountAddress.describe("Receiver of the message."),
      body: bytes.describe("Body of the message as a bag of cells, base64."),
      init_code: bytes.prefault("").describe("Code to deploy; together with `init_data`."),
      init_data: bytes.prefault("").describe("Data to deploy."),
    }),
    result: ok,
    examples: [{ params: { address: nobody, body: comment }, result: sent }],
  }),

  sendQuerySimple: defineMethod({
    ...common,
    summary: "As `sendQuery`, with cells as nested objects.",
    params: z.object({
      address: accountAddress.describe("Receiver of the message."),
      body: cellObject.describe("Body of the message."),
      init_code: cellObject.optional().describe("Code to deploy; together with `init_data`."),
      init_data: cellObject.optional().describe("Data to deploy."),
    }),
    result: ok,
    examples: [{ params: { address: nobody, body: commentObject }, result: sent }],
  }),

  sendCellSimple: defineMethod({
    ...common,
    summary: "Sends an external message given as nested cell objects.",
    params: z.object({ cell: cellObject.describe("The message.") }),
    result: ok,
    examples: [{ params: { cell: commentObject }, result: sent }],
  }),
};
