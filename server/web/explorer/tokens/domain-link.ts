import { type Content, html } from "../../pages/markup.js";
import { claimedText } from "../parts/text.js";

/** A link to the page of a domain, if there is one. */
export function domainLink(domain: string | undefined): Content {
  return (
    domain !== undefined && html`<a href="/domain/${encodeURIComponent(domain)}">${claimedText(domain)}</a>`
  );
}
