// Texts are appended: joining them would copy megabytes at each level, as appending does once, when they are sent.
import { JsonText } from "../../../shared/methods/json-text.js";

type Values<Members> = {
  [Name in keyof Members]: Members[Name] extends JsonText<infer Value> ? Value : Members[Name];
};

/** Serializes an object. Members that are JSON text already are inserted unparsed. */
export function objectText<Members extends object>(members: Members): JsonText<Values<Members>> {
  let text = "";
  for (const [name, value] of Object.entries(members))
    text += `${text === "" ? "{" : ","}"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`;
  return new JsonText(text === "" ? "{}" : `${text}}`);
}

/** A list of records that the database has written as JSON text. */
export function listText<Item>(items: Iterable<string>): JsonText<Item[]> {
  let text = "";
  for (const item of items) text += text === "" ? item : `,${item}`;
  return new JsonText(`[${text}]`);
}
