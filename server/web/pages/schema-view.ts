import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { html, type Markup, prose } from "./markup.js";

/** Resolves a reference to a component of the document; returns any other schema unchanged. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

export function resolverOf(schemas: Record<string, JsonSchema>): Resolve {
  return (schema) => schemas[nameOf(schema) ?? ""] ?? schema;
}

/** Depth to which records are initially expanded. */
const unfoldedDepth = 2;

/** The fields of a schema, including those of nested records. */
export function schemaView(schema: JsonSchema, resolve: Resolve, trail: readonly string[] = []): Markup {
  const name = nameOf(schema);
  if (name !== undefined && trail.includes(name)) return html`<p class="hint">As ${name} above.</p>`;
  const here = name === undefined ? trail : [...trail, name];
  const shown = resolve(schema);
  if (shown.properties) return properties(shown, resolve, here);
  const inner = itemOf(shown);
  if (inner) return schemaView(inner, resolve, here);
  const forms = (shown.anyOf ?? shown.oneOf ?? []).filter((form) => hasInside(form, resolve));
  return html`${forms.map((form) => html`<p class="hint">${typeLabel(form)}:</p>${schemaView(form, resolve, here)}`)}`;
}

function properties(
  { properties = {}, required = [] }: JsonSchema,
  resolve: Resolve,
  trail: readonly string[],
): Markup {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const description = schema.description ?? resolve(schema).description;
    const head = html`<code class="name">${name}</code>
      <span class="type">${typeLabel(schema)}${!required.includes(name) && ", optional"}</span>
      ${description !== undefined && html`<span class="about">${prose(description)}</span>`}`;
    if (!hasInside(schema, resolve)) return html`<li>${head}</li>`;
    const open = trail.length < unfoldedDepth && html` open`;
    return html`<li><details${open}><summary>${head}</summary>${schemaView(schema, resolve, trail)}</details></li>`;
  });
  return html`<ul class="schema">${rows}</ul>`;
}

/** Whether the schema has details beyond its type label. */
function hasInside(schema: JsonSchema, resolve: Resolve): boolean {
  const shown = resolve(schema);
  if (shown.properties) return true;
  const inner = [itemOf(shown), ...(shown.anyOf ?? []), ...(shown.oneOf ?? [])];
  // A named type may be recursive, so named types are not followed further.
  return inner.some((each) => each && (nameOf(each) ? !isScalar(resolve(each)) : hasInside(each, resolve)));
}

const isScalar = ({ type }: JsonSchema) => type !== undefined && type !== "object" && type !== "array";

/** The schema of the items of a list or map. */
function itemOf({ items, additionalProperties }: JsonSchema): JsonSchema | undefined {
  return items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}

/** A short label of a type: `string`, `integer | string`, `ext.transaction[]`. */
export function typeLabel(schema: JsonSchema): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return [...new Set(forms.map((form) => typeLabel(form)))].join(" | ");
  if (schema.type === "array") {
    const item = schema.items ? typeLabel(schema.items) : "any";
    return item.includes("|") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return `map of ${typeLabel(schema.additionalProperties)}`;
  return [schema.type ?? "any"].flat().join(" | ");
}

function nameOf({ $ref, $dynamicRef }: JsonSchema): string | undefined {
  return ($ref ?? $dynamicRef)?.replace(/^.*[#/]/, "");
}
