import { trimEnd } from "../../../../shared/values/trim-end.js";
import { html, type Markup } from "../../pages/markup.js";
import { count } from "./amount.js";

/** A block's position in the chain; the shard is 16 hex digits. */
export type BlockPlace = { readonly workchain: number; readonly shard: string; readonly seqno: number };

/** The one shard of the masterchain. */
export const masterchainShard = "8000000000000000";

export const blockPath = ({ workchain, shard, seqno }: BlockPlace) =>
  `/block/${workchain}/${hexShard(shard)}/${seqno}`;

/** A shard as 16 hex digits: API v2 has it as a signed decimal number. */
export function hexShard(shard: string): string {
  if (/^[\da-f]{16}$/i.test(shard) && !/^-?\d{17,}$/.test(shard)) return shard.toLowerCase();
  try {
    return BigInt.asUintN(64, BigInt(shard)).toString(16).padStart(16, "0");
  } catch (error) {
    // Not a number.
    if (error instanceof SyntaxError) return masterchainShard;
    throw error;
  }
}

/** A shard as a signed decimal number. */
export const decimalShard = (shard: string) => BigInt.asIntN(64, BigInt(`0x${hexShard(shard)}`)).toString();

/** A link to a block: its seqno alone for the masterchain. */
export function blockLink(block: BlockPlace): Markup {
  const { workchain, seqno } = block;
  const shard = hexShard(block.shard);
  const where =
    workchain === -1
      ? ""
      : workchain === 0 && shard === masterchainShard
        ? "0:"
        : `${workchain}:${shortShard(shard)}:`;
  return html`<a class="mono" href="${blockPath(block)}" title="(${workchain},${shard},${seqno})">${where}${count(seqno)}</a>`;
}

/** Without the zeros at its end. */
const shortShard = (shard: string) => trimEnd(hexShard(shard), "0");
