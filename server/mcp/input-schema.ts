import { z } from "zod";

type Schema = Readonly<Record<string, unknown>>;

/**
 * JSON Schema of a tool's arguments. Parameters also take the forms of query texts, which long patterns describe; a model is shown the
 * JSON form of each alone.
 */
export function inputSchema(input: z.ZodObject): { type: "object"; [member: string]: unknown } {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return { ...plain(schema as Schema), type: "object", additionalProperties: false };
}

/** Members that say more than a model needs. */
const left: ReadonlySet<string> = new Set(["pattern", "maxLength", "x-name", "$anchor", "contentEncoding"]);

function plain(schema: Schema): Schema {
  const { anyOf, ...own } = schema;
  const [first] = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  const merged: Schema = first === undefined || isUnion(anyOf as Schema[]) ? schema : { ...first, ...own };
  return Object.fromEntries(
    Object.entries(merged)
      .filter(([name]) => !left.has(name))
      .map(([name, value]) => [name, name === "properties" ? mapped(value as Schema) : plainValue(value)]),
  );
}

/** Whether the alternatives are different things, not a value and its text form. */
function isUnion(alternatives: readonly Schema[]): boolean {
  return !alternatives.slice(1).every(({ type }) => type === "string" || type === "integer");
}

function mapped(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, plain(schema as Schema)]),
  );
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === "object" && value !== null ? plain(value as Schema) : value;
}
