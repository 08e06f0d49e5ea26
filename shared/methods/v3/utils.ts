import { z } from "zod";
import { texts } from "../../schema/v3-params.js";
import { listSize } from "../../schema/v3-rules.js";
import { defineMethod } from "../define.js";

const most = 1000;
const bounded = (name: "opcodes" | "bodies") =>
  listSize<{ opcodes: unknown[]; bodies: unknown[] }>(name, {
    max: most,
    tooMany: `${name} list exceeds maximum length of ${most}`,
  });

export const utilMethods = {
  decode: defineMethod({
    summary: "Names of opcodes, and what message bodies say.",
    group: "Utils",
    verbs: ["GET", "POST"],
    freshness: { kind: "none" },
    params: z
      .object({
        opcodes: texts.prefault([]).describe("Opcodes in hex or decimal."),
        bodies: texts.prefault([]).describe("Bodies as bags of cells, base64 or hex."),
      })
      .check(bounded("opcodes"), bounded("bodies")),
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
