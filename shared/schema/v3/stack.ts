import { z } from "zod";
import { base64ToBytes } from "../../values/bytes.js";
import { Fault, type InputSchema, input, quote, textOfNumber } from "../input.js";
import { base64Matching, base64Pattern, integerPattern, matching } from "../patterns.js";

/** An argument of a get-method; its bag of cells is not parsed yet. */
export type StackArgument = { type: "num"; value: bigint } | { type: "cell" | "slice"; boc: Uint8Array };

type WireArgument = { readonly type: string; readonly value: string | number | bigint };
const maxArguments = 256;

export const argumentList = input<readonly WireArgument[], StackArgument[]>(
  {
    "x-name": "v3.Stack",
    type: "array",
    maxItems: maxArguments,
    items: {
      anyOf: [
        argument(["num"], {
          anyOf: [matching(integerPattern), { type: "integer" }],
          description: "An integer, as a JSON number or as decimal or hex text.",
        }),
        argument(["cell", "slice"], {
          ...base64Matching(base64Pattern),
          description: "A bag of cells.",
        }),
      ],
    },
  },
  (given) => {
    if (!Array.isArray(given)) return refuse("stack should be a list");
    if (given.length > maxArguments) return refuse("TVM stack input exceeds size limit");
    const read: StackArgument[] = [];
    for (const entry of given as unknown[]) {
      const value = readArgument(entry);
      if (value instanceof Fault) return value;
      read.push(value);
    }
    return read;
  },
);

function argument(types: readonly string[], value: InputSchema): InputSchema {
  const type = { type: "string", enum: types, description: "Type of the value." };
  return { type: "object", properties: { type, value }, required: ["type", "value"] };
}

function readArgument(entry: unknown): StackArgument | Fault {
  if (typeof entry !== "object" || entry === null) return refuse("stack entry should be an object");
  const { type, value } = entry as Partial<Record<string, unknown>>;
  switch (type) {
    case "num":
      return readNumber(value);
    case "cell":
    case "slice": {
      const boc = typeof value === "string" ? base64ToBytes(value) : undefined;
      return boc ? { type, boc } : refuse(`stack entry is no bag of cells: ${quote(value)}`);
    }
    default:
      return refuse(`unsupported stack parameter type: ${quote(type)}`);
  }
}

function readNumber(value: unknown): StackArgument | Fault {
  const text = textOfNumber(value) ?? value;
  const [, sign, digits = ""] =
    (typeof text === "string" && /^(-?)(0x[0-9a-f]{1,64}|\d{1,78})$/i.exec(text)) || [];
  if (digits === "") return refuse(`stack entry is no number: ${quote(value)}`);
  const number = sign === "-" ? -BigInt(digits) : BigInt(digits);
  if (BigInt.asIntN(257, number) !== number) return refuse("stack entry does not fit 257 bits");
  return { type: "num", value: number };
}

function refuse(text: string): Fault {
  return new Fault("range", () => text);
}

/** A value of the resulting stack. */
export type StackEntry = { type: string; value?: string | StackEntry[] | undefined };

export const stackEntry: z.ZodType<StackEntry> = z
  .lazy(() =>
    z.object({
      type: z.string().describe("`num`, `cell`, `slice`, `tuple`, `list`, or `unsupported`."),
      value: z
        .union([z.string(), z.array(stackEntry)])
        .optional()
        .describe("A number in hex, a bag of cells in base64, or the entries of a tuple or list."),
    }),
  )
  .meta({ id: "StackEntryV3", description: "A value on the stack." });
