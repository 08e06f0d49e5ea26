import type { InputSchema } from "../input.js";
import { base64Matching, base64Pattern, integerPattern, matching, someBase64Pattern } from "../patterns.js";

// JSON Schemas of stack entries in requests. Cells may also be given as nested objects.

const integerText = { ...matching(integerPattern), description: "A decimal or hex number." };
const bagOf = (pattern: string) => ({
  ...base64Matching(pattern),
  description: "A bag of cells.",
});

/** Tuples and lists have such entries again. */
const entryName = "tvm.StackEntryInput";
const elements: InputSchema = {
  type: "array",
  items: { $ref: `#${entryName}` },
  description: "The entries.",
};

/** An entry of `runGetMethodStd`. */
export const typedSchema: InputSchema = {
  $anchor: entryName,
  anyOf: [
    typed("Number", "number", "tvm.numberDecimal", { number: integerText }),
    typed("Cell", "cell", "tvm.cell", { bytes: bagOf(base64Pattern) }),
    typed("Slice", "slice", "tvm.slice", { bytes: bagOf(base64Pattern) }),
    typed("Tuple", "tuple", "tvm.tuple", { elements }),
    typed("List", "list", "tvm.list", { elements }),
  ],
};

/** An entry of `runGetMethod`. */
export const pairSchema: InputSchema = {
  $defs: { entry: typedSchema },
  anyOf: [
    pair(["num", "number", "int", "integer"], { anyOf: [{ type: "integer" }, integerText] }),
    pair(["tvm.Cell", "tvm.Slice", "tvm.Builder"], bagOf(someBase64Pattern)),
    pair(["cell", "slice"], record({ bytes: bagOf(someBase64Pattern) })),
    pair(["tuple", "tvm.Tuple", "list", "tvm.List"], record({ elements })),
    pair(["null"], {}),
  ],
};

function typed(kind: string, name: string, type: string, members: Record<string, InputSchema>): InputSchema {
  const valueType = { const: type, description: "Type of the value; may be left out." };
  const entry = record({
    "@type": { const: `tvm.stackEntry${kind}`, description: "Type of the entry." },
    [name]: {
      ...record(members),
      properties: { "@type": valueType, ...members },
      description: "The value.",
    },
  });
  return { "x-name": `tvm.stackEntry${kind}Input`, ...entry };
}

function pair(types: readonly string[], value: InputSchema): InputSchema {
  return { type: "array", prefixItems: [{ enum: types }, value], minItems: 2, maxItems: 2 };
}

function record(properties: Record<string, InputSchema>): InputSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}
