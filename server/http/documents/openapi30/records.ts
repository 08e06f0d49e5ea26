import type { JsonSchema } from "../../../../shared/rpc/open-rpc.js";
import { memberOf } from "../../../../shared/values/lookups.js";

/** The discriminator: a member required in all of the records, with different words in each. */
export function commonTag(records: readonly JsonSchema[]): string | undefined {
  const [first] = records;
  return Object.keys(membersOf(first ?? {})).find((name) => {
    const words = records.map((each) => wordsOf(each, name));
    const all = words.flatMap((each) => each ?? []);
    return words.every((each) => each !== undefined) && new Set(all).size === all.length;
  });
}

/** The words of which a record has one in this member; `undefined` if it may have none, or others. */
export function wordsOf(record: JsonSchema, name: string): readonly string[] | undefined {
  const { const: only, enum: several } = membersOf(record)[name] ?? {};
  if (!requiredOf(record).includes(name)) return undefined;
  const words = several ?? (only === undefined ? undefined : [only]);
  return words?.every((word) => typeof word === "string") ? (words as readonly string[]) : undefined;
}

/** Members of a record, which may be an intersection. */
function membersOf({ properties, allOf = [] }: JsonSchema): Record<string, JsonSchema> {
  return properties ?? Object.assign({}, ...allOf.map(membersOf));
}

function requiredOf({ required, allOf = [] }: JsonSchema): readonly string[] {
  return required ?? allOf.flatMap(requiredOf);
}

/** One record with the members of all, of which those are required that all of them require. */
export function merged(records: readonly JsonSchema[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const record of records)
    for (const [name, schema] of Object.entries(record.properties ?? {}))
      properties[name] = name in properties ? either(memberOf(properties, name), schema) : schema;
  const required = Object.keys(properties).filter((name) =>
    records.every((record) => record.required?.includes(name)),
  );
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** A schema that accepts the values of both. */
function either(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const description = one.description === other.description && one.description;
  const isScalar = ["string", "integer", "number", "boolean"].includes(one.type as string);
  return {
    ...(one.type === other.type && isScalar && { type: one.type as string }),
    ...(description && { description }),
  };
}
