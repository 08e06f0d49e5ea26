import type { DocumentedMethod } from "./methods.js";
import { readmeTexts } from "./readmes.js";
import { SchemaCollection } from "./schemas.js";

/**
 * `/llms-full.txt`: the summary, the documents, and every method with its parameters and an example, in Markdown. Models read it whole, so
 * it has no schemas of results, which OpenRPC has.
 */
export async function llmsFullText(summary: string, methods: readonly DocumentedMethod[]): Promise<string> {
  const texts = await readmeTexts();
  const schemas = new SchemaCollection();
  return `${[
    summary.trimEnd(),
    ...texts.map(({ path, text }) => `<!-- /${path} -->\n\n${text.trimEnd()}`),
    "# Methods",
    ...methods.map((method) => section(method, schemas)),
  ].join("\n\n")}\n`;
}

function section({ name, definition }: DocumentedMethod, schemas: SchemaCollection): string {
  const { summary, description, examples } = definition;
  const { properties, required = [] } = schemas.params(definition);
  const params = Object.entries(properties).map(([param, { description: about = "" }]) => {
    const isRequired = required.includes(param) ? " (required)" : "";
    return `- \`${param}\`${isRequired}: ${about}`;
  });
  const example = JSON.stringify({ method: name, params: examples[0].params });
  return [
    `## ${name}`,
    description === undefined ? summary : `${summary} ${description}`,
    ...(params.length > 0 ? [params.join("\n")] : []),
    `Example: \`${example}\``,
  ].join("\n\n");
}
