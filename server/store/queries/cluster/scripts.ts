import type { Transaction } from "../../database.js";

/**
 * Runs statements without values. Of a divided index one after the other, as Citus takes one at a time, behind `settings` of
 * Citus.
 */
export async function runScript(transaction: Transaction, script: string, settings?: string): Promise<void> {
  const texts = (await transaction.isDivided())
    ? [...(settings === undefined ? [] : [settings]), ...statementsOf(script)]
    : [script];
  for (const text of texts) await transaction.script(text);
}

// Bounded input: the files of migrations, and what this program writes.
const tokens =
  /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$;/-]+|[\s\S]/g;

/** The statements of a script. */
export function statementsOf(script: string): string[] {
  const statements = [""];
  for (const [token] of script.matchAll(tokens))
    if (token === ";") statements.push("");
    else if (!/^(--|\/\*)/.test(token)) statements[statements.length - 1] += token;
  return statements.map((text) => text.trim()).filter((text) => text !== "");
}
