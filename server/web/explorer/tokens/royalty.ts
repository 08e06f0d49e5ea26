import { type Content, html } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { shortPercent } from "../parts/percent.js";
import type { ViewContext } from "../view.js";
import { valuesOf } from "./method-values.js";
import { addressIn, numberIn } from "./stack-values.js";

/** The royalty (TEP-66) that a collection, or an item without one, asks for; `undefined` if it states none. */
export async function readRoyalty(context: ViewContext, address: string): Promise<Content> {
  const [numerator, denominator, receiver] = (await valuesOf(context, address, "royalty_params")) ?? [];
  const share = shortPercent(numberIn(numerator) ?? -1n, numberIn(denominator) ?? 0n);
  if (share === undefined) return undefined;
  return html`${share} <span class="aside">to</span> ${addressLink(addressIn(receiver), { names: context.names })}`;
}
