import type { InputSchema } from "./input.js";
import { base64Matching, base64Pattern, integerPattern, matching, someBase64Pattern } from "./patterns.js";

// JSON Schemas of stack entries in requests. Tuples and lists may nest deeper than the documents show, and cells may
// also be given as nested objects.

const integerText = { ...matching(integerPattern), description: "A decimal or hex number." };
const bagOf = (pattern: string) => ({
  ...base64Matching(pattern),
  description: "A bag of cells.",
});

/** Levels of tuples and lists in one another that the documents show. */
const shownDepth = 2;

/** An entry of `runGetMethodStd`. */
export const typedSchema = typedEntry(shownDepth);

/** An entry of `runGetMethod`. */
export const pairSchema: InputSchema = {
  anyOf: [
    pair(["num", "number", "int", "integer"], { anyOf: [{ type: "integer" }, integerText] }),
    pair(["tvm.Cell", "tvm.Slice", "tvm.Builder"], bagOf(someBase64Pattern)),
    pair(["cell", "slice"], record({ bytes: bagOf(someBase64Pattern) })),
    pair(["tuple", "tvm.Tuple", "list", "tvm.List"], record({ elements: entries(shownDepth) })),
    pair(["null"], {}),
  ],
};

function typedEntry(depth: number): InputSchema {
  return {
    anyOf: [
      typed("Number", "number", { number: integerText }),
      typed("Cell", "cell", { bytes: bagOf(base64Pattern) }),
      typed("Slice", "slice", { bytes: bagOf(base64Pattern) }),
      ...(depth > 0 ? [typed("Tuple", "tuple", { elements: entries(depth - 1) })] : []),
      ...(depth > 0 ? [typed("List", "list", { elements: entries(depth - 1) })] : []),
    ],
  };
}

function entries(depth: number): InputSchema {
  return { type: "array", items: typedEntry(depth), description: "The entries." };
}

function typed(kind: string, name: string, members: Record<string, InputSchema>): InputSchema {
  return record({
    "@type": { const: `tvm.stackEntry${kind}`, description: "Type of the entry." },
    [name]: { ...record(members), description: "The value." },
  });
}

function pair(types: readonly string[], value: InputSchema): InputSchema {
  return { type: "array", prefixItems: [{ enum: types }, value], minItems: 2, maxItems: 2 };
}

function record(properties: Record<string, InputSchema>): InputSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}
