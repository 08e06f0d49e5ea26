import { bytesOfHex } from "../../../../shared/values/known-bytes.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { rawOf } from "../parts/address.js";

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
