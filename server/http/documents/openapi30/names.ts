import type { JsonSchema } from "../../../../shared/rpc/open-rpc.js";
import { pascal } from "../../../../shared/values/type-names.js";

/** Names that stand for something else in the languages of generated clients. */
const taken: Readonly<Record<string, string>> = { Ok: "OkRecord" };

/**
 * The name of a component as a type: `raw.message` becomes `RawMessage`. Generators make a variable of a record's name, so
 * that no member may have the same one.
 */
export function typeName(name: string, { properties = {} }: JsonSchema = {}): string {
  const type = pascal(name);
  const same = Object.entries(properties).find(([key]) => pascal(key) === type)?.[1];
  if (same) return type + (same.type === "array" ? "List" : "Record");
  return taken[type] ?? type;
}

/** A name for an entry of what has this name. */
export function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
}

/**
 * Members that have the same name in most languages, such as `@type` beside `type`, with other names for generators that
 * read them: oapi-codegen `x-go-name`, ogen `x-ogen-name`.
 */
export function withMemberNames(members: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const keys = Object.keys(members);
  const entries = Object.entries(members).map(([key, schema]) => {
    const isPlain = /^[A-Za-z]/.test(key);
    const collides = keys.some((other) => other !== key && pascal(other) === pascal(key));
    if (isPlain || !collides) return [key, schema];
    const name = `At${pascal(key)}`;
    return [key, { ...schema, "x-go-name": name, "x-ogen-name": name }];
  });
  return Object.fromEntries(entries);
}
