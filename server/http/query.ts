import { unescape as percentDecode } from "node:querystring";
import type { QueryPairs } from "../rpc/params.js";

/** The pairs of a query in the order they stand; `+` is a blank, broken escapes stay as they are. */
export function parseQuery(search: string): QueryPairs {
  if (search === "") return [];
  return search
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const equals = part.indexOf("=");
      return equals < 0
        ? [decode(part), ""]
        : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
}

/** The last value of a name, for what is not a parameter of the method. */
export function lastOf(query: QueryPairs, name: string): string | undefined {
  return query.findLast(([each]) => each === name)?.[1];
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? percentDecode(spaced) : spaced;
}
