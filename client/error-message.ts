import { withoutBigint } from "./call.js";

// The form of messages is that of viem: a sentence, the call, and the rest, with blank lines between them.

/** The members of an error in the parts of its message, which has them under these names. */
const parts = ["Method Parameters", "Endpoint Code Status ExitCode ExitName Details Hint"];

/** Characters of a sentence, or of another text that a service chooses. */
const mostOfText = 1000;
/** Characters of the parameters, and of each text among them. */
const mostOfParameters = 300;
const mostOfValue = 70;

/** A message whose first line is the sentence. */
export function errorMessage(sentence: string, members: Readonly<Record<string, unknown>>): string {
  const texts = parts.map((part) =>
    part
      .split(" ")
      .flatMap((name) => {
        const value = members[name[0]!.toLowerCase() + name.slice(1)];
        // Members of an answer may have any type.
        return value && /^(string|number)$/.test(typeof value)
          ? `${name}: ${cut(String(value), mostOfText)}`
          : [];
      })
      .join("\n"),
  );
  return [cut(sentence, mostOfText), ...texts].filter(Boolean).join("\n\n");
}

/** Parameters in short, without secrets; `undefined` if there are none. */
export function parametersInShort(params: object): string | undefined {
  const shown = (name: string, value: unknown) => {
    if (/^(secret|seed)$/.test(name)) return "…";
    return typeof value === "string" ? cut(value, mostOfValue) : withoutBigint(name, value);
  };
  const text = JSON.stringify(params, shown);
  return text === "{}" ? undefined : cut(text, mostOfParameters);
}

/** A URL without what may be a key: credentials, long parts of the path, and the query. */
export function urlInShort(url: string): string {
  return url.replace(/(\/\/)[^/]*@|([^/]\/)[\w-]{20,}|[?#].*/g, "$1$2…");
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
