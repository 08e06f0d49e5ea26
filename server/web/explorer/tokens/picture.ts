import type { TokenInfo } from "../../../../client/api.js";
import { base64ToBytes, bytesOfHex, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { rawOf } from "../parts/address.js";
import { rasterOf } from "./raster.js";

/** A picture within a token's data is shown up to this size. The metadata of a token has at most 64 kB. */
const maxBytes = 64 * 1024;
/** A few bytes can claim a picture whose pixels fill the memory. */
const maxSide = 2048;

type Options = {
  readonly address: string;
  readonly info: TokenInfo | undefined;
  /** Shown larger than in a list. */
  readonly isLarge?: boolean;
};

/** The picture of a token, from the proxy or the token's data; otherwise one drawn from its address. */
export function picture({ address, info, isLarge = false }: Options): Markup {
  const source = pictureSource(info, imageOrigin(), isLarge);
  return html`<span class="picture">${placeholder(address)}${
    source !== undefined &&
    html`<img src="${source}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
  }</span>`;
}

/** Origin of the operator's image proxy, the only host from which the page's policy allows pictures. */
function imageOrigin(): string | undefined {
  return document.body.dataset["images"];
}

/** URL of a token's picture that the page may load; `undefined` if there is none. */
export function pictureSource(
  info: TokenInfo | undefined,
  origin: string | undefined,
  isLarge: boolean,
): string | undefined {
  if (!info) return undefined;
  const proxied = info.extra?.[isLarge ? "_image_medium" : "_image_small"];
  if (origin !== undefined && typeof proxied === "string" && isOf(proxied, origin)) return proxied;
  // Only the proxy can blur a picture.
  if (info.is_nsfw) return undefined;
  const own = info.extra?.["image_data"];
  return (typeof own === "string" ? dataUrl(own) : undefined) ?? embedded(info.image);
}

function isOf(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** A link to an image that contains the image. */
function embedded(image: string | undefined): string | undefined {
  const [, base64] = /^data:image\/(?:png|gif|jpeg|webp);base64,(.*)$/is.exec(image ?? "") ?? [];
  return base64 === undefined ? undefined : dataUrl(base64);
}

/** A raster picture in base64 as a URL. Its type follows from its bytes. */
function dataUrl(base64: string): string | undefined {
  if (base64.length > maxBytes * 2) return undefined;
  const bytes = base64ToBytes(base64);
  if (!bytes || bytes.length > maxBytes) return undefined;
  const raster = rasterOf(bytes);
  if (!raster || raster.width > maxSide || raster.height > maxSide) return undefined;
  return `data:${raster.type};base64,${bytesToBase64(bytes)}`;
}

/** Shows a loaded picture instead of its placeholder, and the placeholder alone if the picture cannot be loaded. */
export function watchPictures(root: HTMLElement): void {
  const settle = ({ type, target }: Event) => {
    if (!(target instanceof HTMLImageElement)) return;
    if (type === "error") target.remove();
    else target.previousElementSibling?.remove();
  };
  // These events do not bubble.
  for (const type of ["load", "error"]) root.addEventListener(type, settle, { capture: true });
}

/** Cells in a row; the right half mirrors the left one. */
const side = 5;
const half = Math.ceil(side / 2);

/** A picture drawn from an address, for a token without one. */
export function placeholder(address: string): Markup {
  const hash = bytesOfHex(rawOf(address)?.split(":")[1] ?? "");
  const cells = Array.from({ length: side * half }, (_, index) => index).filter(
    // An address that cannot be read has a plain square.
    (index) => hash.length > index && itemAt(hash, index) % 2 === 0,
  );
  const squares = cells.flatMap((index) => {
    const [row, column] = [Math.floor(index / half), index % half];
    return [...new Set([column, side - 1 - column])].map((x) => `M${x} ${row}h1v1h-1z`);
  });
  const hue = hash.length === 0 ? 0 : Math.floor((itemAt(hash, hash.length - 1) * 360) / 256);
  return html`<svg viewBox="-1 -1 ${side + 2} ${side + 2}" aria-hidden="true" fill="hsl(${hue} 45% 55%)"><path d="${squares.join("")}"/></svg>`;
}
