import { z } from "zod";
import { abiBody, abiOpcode, givenAbi, includeAbi } from "../../schema/v3/abi.js";
import { hash, someBodyTexts, someOpcodeTexts } from "../../schema/v3/params.js";
import { defineMethod } from "../define.js";

const maxItems = 1000;
const positional = (name: string) => ({
  atMost: { count: maxItems, text: `${name} list exceeds maximum length of ${maxItems}` },
  keepEmpty: true,
});

export const utilMethods = {
  decode: defineMethod({
    summary: "Decodes opcodes and message bodies.",
    group: "Utils",
    verbs: ["GET", "POST"],
    freshness: { kind: "none" },
    params: z.object({
      opcodes: someOpcodeTexts(positional("opcodes"))
        .prefault([])
        .describe("Opcodes: numbers, or texts in hex or decimal."),
      bodies: someBodyTexts(positional("bodies"))
        .prefault([])
        .describe("Bodies as bags of cells, base64 or hex."),
      include_abi: includeAbi,
      code_hash: hash
        .optional()
        .describe("Hash of the code of the contract that receives or sends them, for `include_abi`."),
      abi: givenAbi
        .optional()
        .describe(
          "With `include_abi`: an ABI as the text of its file, which comes before those of the service.",
        ),
    }),
    result: z.object({
      opcodes: z.array(z.string()).describe("Names of the opcodes; `unknown` for unknown ones."),
      bodies: z
        .array(z.record(z.string(), z.unknown()))
        .describe("Decoded bodies with their scheme in `@type`; `error` if the scheme is unknown."),
      abi: z
        .object({
          opcodes: z
            .array(abiOpcode.nullable())
            .describe("Names of the opcodes in ABIs, in order; null for those that none has."),
          bodies: z
            .array(abiBody.nullable())
            .describe("Bodies by ABIs, in order; null for those that fit none."),
        })
        .optional()
        .describe("On request."),
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
