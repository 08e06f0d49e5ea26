import { html, type Markup } from "../../pages/markup.js";
import { hexOf, transactionPath } from "./hash.js";

type WhyOptions = {
  readonly text?: string;
  /** Account and logical time, which find a transaction without an index. */
  readonly place?: { readonly account: string; readonly lt: string };
};

/** A link to the steps of a transaction; those of a failure begin where it failed. */
export function whyLink(hash: string, { text = "Why?", place }: WhyOptions = {}): Markup {
  const query = place ? `?${new URLSearchParams(place)}` : "";
  return html`<a class="why-link" href="${transactionPath(hexOf(hash) ?? "")}/debug${query}">${text}</a>`;
}

/** Longer addresses are refused on their way. */
const longest = 8000;

/** A link to the steps of a message that was emulated, or of a get-method, by its parameters. */
export function whyRunLink(kind: "message" | "get_method", params: object): Markup | undefined {
  const query = new URLSearchParams({ [kind]: JSON.stringify(params) }).toString();
  if (query.length > longest) return undefined;
  return html`<a class="why-link" href="/debug/run?${query}">Why?</a>`;
}
