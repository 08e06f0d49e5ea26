import { html, type Markup } from "../../pages/markup.js";
import { claimed } from "../parts/text.js";

/** An attribute of an item, as its metadata claim it. */
type Attribute = { readonly name: string; readonly value: string };

const maxAttributes = 60;

/** Attributes in the form that marketplaces use: a list of `trait_type` and `value`. Anything else is left out. */
export function attributesIn(value: unknown): Attribute[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, maxAttributes).flatMap((each: unknown) => {
    if (typeof each !== "object" || each === null) return [];
    const { trait_type: trait, value: said } = each as Readonly<Record<string, unknown>>;
    const isShown = typeof said === "string" || typeof said === "number" || typeof said === "boolean";
    return isShown ? [{ name: typeof trait === "string" ? trait : "", value: String(said) }] : [];
  });
}

/** Attributes as a list, or nothing. */
export function attributeList(value: unknown): Markup {
  const attributes = attributesIn(value);
  if (attributes.length === 0) return html``;
  return html`<section aria-labelledby="attributes"><h2 id="attributes">Attributes</h2>
    <ul class="attributes">${attributes.map((each) => html`<li><span class="aside">${claimed(each.name, 40)}</span> ${claimed(each.value, 80)}</li>`)}</ul></section>`;
}
