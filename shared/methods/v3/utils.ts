import { z } from "zod";
import { someTexts } from "../../schema/v3-params.js";
import { defineMethod } from "../define.js";

const most = 1000;
const answeredOneByOne = (name: string) =>
  someTexts({
    atMost: { count: most, text: `${name} list exceeds maximum length of ${most}` },
    keepEmpty: true,
  }).prefault([]);

export const utilMethods = {
  decode: defineMethod({
    summary: "Names of opcodes, and what message bodies say.",
    group: "Utils",
    verbs: ["GET", "POST"],
    freshness: { kind: "none" },
    params: z.object({
      opcodes: answeredOneByOne("opcodes").describe("Opcodes in hex or decimal."),
      bodies: answeredOneByOne("bodies").describe("Bodies as bags of cells, base64 or hex."),
    }),
    result: z.object({
      opcodes: z.array(z.string()).describe("The names; `unknown` where there is none."),
      bodies: z
        .array(z.record(z.string(), z.unknown()))
        .describe("What they say, by their scheme `@type`; `error` where that is not known."),
    }),
    examples: [
      {
        params: { opcodes: ["0x0", "0x0f8a7ea5"], bodies: ["te6cckEBAQEACwAAEgAAAABoZWxsb5oNank="] },
        result: {
          opcodes: ["text_comment", "jetton_transfer"],
          bodies: [{ "@type": "text_comment", text: "hello" }],
        },
      },
    ],
  }),
};
