import { z } from "zod";
import { Fault, input, unreadable } from "../schema/input.js";
import { matching, someBase64Pattern } from "../schema/patterns.js";
import { base64ToBytes } from "../values/bytes.js";
import { defineMethod } from "./define.js";

/** Longest query: messages and stacks have at most 64 KiB. */
export const maxLiteQuery = 66 * 1024;
const maxCharacters = Math.ceil(maxLiteQuery / 3) * 4;

const query = input<string, Uint8Array>(
  {
    "x-name": "LiteQuery",
    ...matching(someBase64Pattern, maxCharacters),
    contentEncoding: "base64",
  },
  (given) => {
    if (typeof given !== "string") return unreadable;
    if (given.length > maxCharacters)
      return new Fault("range", (name) => `${name} is too long: at most ${maxLiteQuery} bytes`);
    const bytes = base64ToBytes(given);
    return bytes?.length === 0 ? new Fault("range", (name) => `empty ${name}`) : (bytes ?? unreadable);
  },
);

export const liteMethods = {
  query: defineMethod({
    summary: "Answers a liteserver's query in TL, so that callers can check the proofs.",
    description:
      "The answer is what a liteserver sends over ADNL, `liteServer.error` included. Functions cost 1, 2 or 5 points, and runs of contracts more by their CPU time. Answers about a named block are cached permanently.",
    group: "Liteserver",
    verbs: [],
    params: z.object({
      query: query.describe(
        "One function of `lite_api.tl` in base64, without `liteServer.query` around it; `liteServer.waitMasterchainSeqno` may precede it and waits for 10 seconds at most.",
      ),
    }),
    result: z.object({
      answer: z.string().describe("The answer in TL, base64."),
    }),
    freshness: { kind: "content" },
    // A query may wait for a block before it is answered.
    timeoutMs: 20_000,
    examples: [
      {
        params: { query: "Lua1iQ==" },
        result: {
          answer:
            "gSiDhf////8AAAAAAAAAgAEAAADWVxYXXAEaJ76hNDMu71Mls6laL9LgPq/0nRbZCle5CsxV5E+K+8ipyhxegaDJZh6eA5ROmIBez68NNI3nuC8Jz6QI1kd+mMBFlra0DDd2F2cdOy2yXqNG/vNG+CfZTKX/////Anmt2EoEfw6uqn8x437jYzAZLkMeQO6wVm+qHWLpzC/DF7wLcfNurhhn0jsbM+0HYxFWu7EZ9mIKpwfAoy/TnQ==",
        },
      },
    ],
  }),
};
