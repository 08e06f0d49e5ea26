import { unescape as percentDecode } from "node:querystring";
import type { QueryPairs } from "../../rpc/params/params.js";

/** Parses a query into pairs in their original order. `+` is a space; invalid escapes are left unchanged. */
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

/** The last value of a name; for options, not for method parameters. */
export function lastOf(query: QueryPairs, name: string): string | undefined {
  return query.findLast(([each]) => each === name)?.[1];
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? percentDecode(spaced) : spaced;
}
