import { JsonText } from "../../../shared/methods/json-text.js";

type Values<Members> = {
  [Name in keyof Members]: Members[Name] extends JsonText<infer Value> ? Value : Members[Name];
};

/** Serializes an object. Members that are JSON text already are inserted unparsed. */
export function objectText<Members extends object>(members: Members): JsonText<Values<Members>> {
  const written = Object.entries(members).map(
    ([name, value]) => `"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`,
  );
  return new JsonText(`{${written.join(",")}}`);
}

/** A list of records that the database has written as JSON text. */
export function listText<Item>(items: readonly string[]): JsonText<Item[]> {
  return new JsonText(`[${items.join(",")}]`);
}
