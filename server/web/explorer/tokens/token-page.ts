import type { TokenInfo } from "../../../../client/api.js";
import { memberOf } from "../../../../shared/values/lookups.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { accountPath, friendlyOf, rawOf } from "../parts/address.js";
import { copyButton } from "../parts/copy.js";
import { needsIndex } from "../parts/failure.js";
import { claimed, claimedText } from "../parts/text.js";
import type { ViewContext } from "../view.js";
import { picture, watchPictures } from "./picture.js";

/** The token that a page is about. */
type TokenPlace = { readonly friendly: string; readonly raw: string };

/** Reads the address of a token's page. Shows why there is nothing to show if it returns `undefined`. */
export function placeOf({ root, params, title, indexed }: ViewContext, kind: string): TokenPlace | undefined {
  const given = memberOf(params, "address");
  const [friendly, raw] = [friendlyOf(given), rawOf(given)];
  title(kind);
  if (friendly === undefined || raw === undefined) {
    root.innerHTML =
      html`<h1 tabindex="-1">This is no address</h1><p><code>${given.slice(0, 100)}</code></p>`.text;
    return undefined;
  }
  if (!indexed) {
    root.innerHTML =
      html`<h1 tabindex="-1">${kind}</h1>${needsIndex("The page of a token")}${accountLine(friendly)}`.text;
    return undefined;
  }
  return { friendly, raw };
}

/** Shown for an account that is no token of the page's kind. */
export function notFound(kind: string, { friendly }: TokenPlace): Markup {
  return html`<h1 tabindex="-1">This is no ${kind}</h1>
    <p>The index knows no ${kind} at this address. The account may be something else, or was not examined yet.</p>
    ${accountLine(friendly)}`;
}

function accountLine(friendly: string): Markup {
  return html`<p><a class="mono whole" href="${accountPath(friendly)}">${friendly}</a></p>`;
}

/** The element that a token's page is built in. */
export function tokenPage(content: Markup): HTMLElement {
  const page = document.createElement("div");
  // A picture that the browser has already is there before the page is shown.
  watchPictures(page);
  page.innerHTML = content.text;
  return page;
}

type Head = {
  readonly crumb: Content;
  readonly name: string;
  /** A short name beside the name. */
  readonly symbol?: string | undefined;
  readonly info: TokenInfo | undefined;
};

/** The beginning of a token's page: its picture, name and description. */
export function tokenHead({ friendly }: TokenPlace, { crumb, name, symbol, info }: Head): Markup {
  const description = info?.description ?? "";
  return html`<p class="crumb">${crumb}</p>
    <div class="token-head">${picture({ address: friendly, info, isLarge: true })}
      <div><h1 tabindex="-1">${claimed(name, 60)} ${symbol !== undefined && html`<span class="pill">${claimedText(symbol, 16)}</span> `}${flags(info)}</h1>
      ${description !== "" && html`<p class="token-about">${claimed(description, 500)}</p>`}</div></div>`;
}

function flags(info: TokenInfo | undefined): Markup {
  return html`${info?.is_scam && html`<span class="pill bad">scam</span> `}${info?.is_nsfw && html`<span class="pill bad">not safe to show</span>`}`;
}

/** Facts that every token has. */
export function commonFacts(
  { friendly }: TokenPlace,
  info: TokenInfo | undefined,
  content: Readonly<Record<string, string>>,
): (readonly [string, Content])[] {
  const { uri } = content;
  return [
    [
      "Address",
      html`<a class="mono whole" href="${accountPath(friendly)}">${friendly}</a>${copyButton(friendly, "Copy the address")}`,
    ],
    [
      "Metadata",
      uri !== undefined &&
        html`${/^data:/i.test(uri) ? "within the link itself" : html`<code>${claimedText(uri, 200)}</code>`} <span class="aside">${readState(info)}</span>`,
    ],
  ];
}

function readState(info: TokenInfo | undefined): string {
  if (info?.valid === undefined) return "not read yet";
  return info.valid ? "" : "could not be read";
}
