import { shortAddress } from "../../../../shared/text/answer-names.js";
import { Address } from "../../../../shared/values/address.js";
import { html, type Markup } from "../../pages/markup.js";
import { copyButton } from "./copy.js";
import type { Names } from "./names.js";

type AddressOptions = {
  readonly names?: Names | undefined;
  /** Link text that replaces the name or address. */
  readonly text?: string | undefined;
  /** Show the whole address instead of its ends. */
  readonly whole?: boolean;
  /** Path of another page than the account's. */
  readonly path?: ((friendly: string) => string) | undefined;
  /** Omit the button that copies the address. */
  readonly bare?: boolean;
};

/** A link to an account, by its name if it has one, with a button that copies the address. */
export function addressLink(
  address: string | null | undefined,
  { names, text: said, whole = false, bare = false, path = accountPath }: AddressOptions = {},
): Markup {
  if (address === null || address === undefined || address === "")
    return html`<span class="none">nobody</span>`;
  const friendly = friendlyOf(address);
  if (friendly === undefined) return html`<code>${address.slice(0, 80)}</code>`;
  const name = said ?? names?.of(address);
  const text = name ?? (whole ? friendly : shortAddress(friendly));
  const isOwn = said === undefined && names?.find(address)?.isOwn === true;
  const kind = name === undefined ? "mono" : isOwn ? "named own" : "named";
  const link = html`<a class="${kind}" href="${path(friendly)}" title="${friendly}">${text}</a>`;
  return bare ? link : html`<span class="address">${link}${copyButton(friendly, "Copy the address")}</span>`;
}

export const accountPath = (friendly: string) => `/account/${friendly}`;

/** The friendly form; `undefined` for an invalid address. */
export function friendlyOf(address: string): string | undefined {
  return Address.read(address)?.address.toFriendly();
}

/** The raw form; `undefined` for an invalid address. */
export function rawOf(address: string): string | undefined {
  return Address.read(address)?.address.toRaw();
}
