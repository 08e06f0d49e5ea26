import type { ContentDescriptor, JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { type Content, html, type Markup, prose } from "./markup.js";
import { type Resolve, typeLabel } from "./schema-view.js";

/** Kind of a form field: `lines` is a list with one item per line, `json` any nested value. */
export type FieldKind = "text" | "long-text" | "number" | "choice" | "flag" | "lines" | "json";

/** The kind of form field that fits a parameter's schema. */
export function fieldKind(given: JsonSchema, resolve: Resolve): FieldKind {
  const schema = resolve(given);
  const forms = (schema.anyOf ?? schema.oneOf ?? [schema]).map(resolve);
  const takes = (...types: string[]) => forms.find(({ type }) => types.includes(String(type)));
  const list = takes("array");
  if (list) return ["string", "number", "integer"].includes(String(list.items?.type)) ? "lines" : "json";
  if (takes("boolean")) return "flag";
  if (takes("integer", "number")) return "number";
  const text = takes("string");
  if (!text) return "json";
  if (text.enum) return "choice";
  return text.contentEncoding === undefined ? "text" : "long-text";
}

/** The form field of one parameter, with its type and description. */
export function field(param: ContentDescriptor, resolve: Resolve): Markup {
  const id = `param-${param.name}`;
  const initial = param.schema.default;
  return html`<div class="field">
    <div class="field-head">
      <label for="${id}">${param.name}</label>
      <span class="type">${kindLabel(param.schema, resolve)}</span>
      ${param.required ? html`<span class="required">required</span>` : ""}
    </div>
    ${param.description !== undefined && html`<p class="hint" id="${id}-hint">${prose(param.description)}</p>`}
    ${control(param, id, resolve)}
    ${initial !== undefined && html`<p class="hint">Default: <code>${JSON.stringify(initial)}</code></p>`}
    <p class="problem" id="${id}-problem" role="alert" hidden></p>
  </div>`;
}

/** The documented type. The many words also accepted for booleans are not listed. */
function kindLabel(schema: JsonSchema, resolve: Resolve): string {
  return fieldKind(schema, resolve) === "flag" ? "boolean" : typeLabel(resolve(schema));
}

function control(param: ContentDescriptor, id: string, resolve: Resolve): Content {
  const kind = fieldKind(param.schema, resolve);
  const describedBy = `${param.description === undefined ? "" : `${id}-hint `}${id}-problem`;
  const common = html`id="${id}" name="${param.name}" data-kind="${kind}" aria-describedby="${describedBy}"
    autocomplete="off" autocapitalize="off" spellcheck="false"`;
  switch (kind) {
    case "flag":
      return select(common, ["true", "false"]);
    case "choice":
      return select(common, (resolve(param.schema).enum ?? []).map(String));
    case "number":
      return html`<input ${common} inputmode="numeric">`;
    case "text":
      return html`<input ${common}>`;
    case "long-text":
      return html`<textarea ${common} rows="3"></textarea>`;
    case "lines":
      return html`<textarea ${common} rows="2" placeholder="one per line"></textarea>`;
    case "json":
      return html`<textarea ${common} rows="4" placeholder="JSON"></textarea>`;
  }
}

function select(common: Markup, values: readonly string[]): Markup {
  const options = values.map((value) => html`<option>${value}</option>`);
  return html`<select ${common}><option value="">not set</option>${options}</select>`;
}
