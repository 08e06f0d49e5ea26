import fc from "fast-check";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { base64ToBytes, bytesToBase64 } from "../../../shared/values/bytes.js";
import { crc16 } from "../../../shared/values/crc16.js";

/** Records inside themselves that are made; deeper lists of them are empty. */
const maxDepth = 3;

type Inner = (schema: JsonSchema) => fc.Arbitrary<unknown> | undefined;

/**
 * Values that a JSON Schema of the documents allows; it may refer to components. Knows the keywords that parameters use,
 * and no others.
 */
export function documentedValues(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>> = {},
): fc.Arbitrary<unknown> {
  const valuesAt =
    (depth: number): Inner =>
    (each) => {
      const reference = each.$ref ?? each.$dynamicRef;
      if (reference === undefined) return valuesOf(each, valuesAt(depth));
      const target = components[reference.replace(/^.*[#/]/, "")]!;
      return depth === maxDepth ? undefined : valuesOf(target, valuesAt(depth + 1));
    };
  return valuesAt(0)(schema)!;
}

function valuesOf(schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> | undefined {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) {
    const variants = schema.anyOf.flatMap((each) => inner(each) ?? []);
    return variants.length > 0 ? fc.oneof(...variants) : undefined;
  }
  switch (schema.type) {
    case "string":
      return texts(schema);
    case "integer":
      return integers(schema);
    case "number":
      return fc.double({ min: Number(schema.minimum), max: Number(schema.maximum), noNaN: true });
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "array":
      return arrays(schema, inner);
    case "object":
      return objects(schema, inner);
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`cannot make values of the type ${schema.type}`);
  }
}

function texts({ pattern, minLength = 0, maxLength = 1000 }: JsonSchema): fc.Arbitrary<string> {
  // A grapheme has several characters.
  const isShort = ({ length }: string) => length <= maxLength;
  if (pattern === undefined)
    return fc.string({ minLength: minLength as number, unit: "grapheme" }).filter(isShort);
  return fc.stringMatching(new RegExp(pattern, "u"), { maxLength }).map(withChecksums);
}

const friendlyAddress = /(?<![A-Za-z0-9+/_-])[EUk0][Q-Za-f][A-Za-z0-9+/_-]{46}(?![A-Za-z0-9+/_=-])/g;

/** No pattern can check the checksum of a friendly address. */
function withChecksums(text: string): string {
  return text.replace(friendlyAddress, (found) => {
    const bytes = base64ToBytes(found)!;
    const checksum = crc16(bytes, 34);
    bytes.set([checksum >> 8, checksum & 0xff], 34);
    return bytesToBase64(bytes);
  });
}

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const uint64 = { min: 0n, max: 2n ** 64n - 1n };

/** Beyond the exact range of a double a bigint, as the service reads such numbers from JSON. */
function integers({ format, minimum, maximum }: JsonSchema): fc.Arbitrary<number | bigint> {
  const range = format === "uint64" ? uint64 : int64;
  const min = minimum === undefined ? range.min : BigInt(minimum);
  const max = maximum === undefined ? range.max : BigInt(maximum);
  return fc
    .bigInt({ min, max })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
}

function arrays(
  { items = {}, prefixItems, minItems = 0, maxItems = 4 }: JsonSchema,
  inner: Inner,
): fc.Arbitrary<unknown[]> {
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((each) => inner(each)!));
  const values = inner(items);
  const maxLength = Math.min(maxItems as number, 4);
  return values ? fc.array(values, { minLength: minItems as number, maxLength }) : fc.constant([]);
}

function objects({ properties = {}, required = [] }: JsonSchema, inner: Inner): fc.Arbitrary<object> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(properties)) members[name] = inner(schema)!;
  return fc.record(members, { requiredKeys: [...required] });
}
