import { type PlainCell, readBag } from "../../../../client/values/bag-of-cells.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { html, type Markup } from "../../pages/markup.js";
import type { Page } from "../history/pages.js";
import { blockLink, decimalShard, masterchainShard } from "../parts/block-id.js";
import { hashCell } from "../parts/cells.js";
import { timeAgo } from "../parts/time.js";
import type { ViewContext } from "../view.js";
import { parameterName, readConfiguration } from "./parameters.js";

/** A change of a parameter by a key block. */
type Change = { readonly number: number; readonly kind: "added" | "removed" | "changed" };

/** Key blocks per page: each takes two calls, one of them with a whole configuration. */
const pageLength = 6;

/** Reads the changes of the configuration from key block to key block, newest first. */
export function changePages({ call }: Pick<ViewContext, "call">): () => Promise<Page> {
  let place: KeyBlock | undefined;
  return async () => {
    place ??= await newestKeyBlock(call);
    const rows: Markup[] = [];
    while (place !== undefined && rows.length < pageLength) {
      const before: KeyBlock | undefined = await keyBlock(call, place.previous);
      rows.push(row(place, before && changesBetween(before.config, place.config)));
      place = before;
    }
    return {
      rows: html`${rows.length > 0 && html`<ol class="rows">${rows}</ol>`}`,
      isLast: place === undefined,
    };
  };
}

type KeyBlock = {
  readonly seqno: number;
  readonly now: number;
  /** Seqno of the key block before; 0 if there is none. */
  readonly previous: number;
  readonly config: ReadonlyMap<number, PlainCell>;
};

async function newestKeyBlock(call: ViewContext["call"]): Promise<KeyBlock | undefined> {
  const { last } = await call("getMasterchainInfo");
  const head = await call("getBlockHeader", placeOf(last.seqno));
  return keyBlock(call, head.is_key_block ? last.seqno : head.prev_key_block_seqno);
}

async function keyBlock(call: ViewContext["call"], seqno: number): Promise<KeyBlock | undefined> {
  if (seqno === 0) return undefined;
  const [header, { config }] = await Promise.all([
    call("getBlockHeader", placeOf(seqno)),
    call("getConfigAll", { seqno }),
  ]);
  return {
    seqno,
    now: header.gen_utime,
    previous: header.prev_key_block_seqno,
    config: readConfiguration(readBag(config.bytes)),
  };
}

const placeOf = (seqno: number) => ({ workchain: -1, shard: decimalShard(masterchainShard), seqno });

/** Parameters that differ, by number. */
export function changesBetween(
  before: ReadonlyMap<number, PlainCell>,
  after: ReadonlyMap<number, PlainCell>,
): Change[] {
  const numbers = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return numbers.flatMap((number): Change[] => {
    const [old, now] = [before.get(number), after.get(number)];
    if (old === undefined) return [{ number, kind: "added" }];
    if (now === undefined) return [{ number, kind: "removed" }];
    return fingerprint(old) === fingerprint(now) ? [] : [{ number, kind: "changed" }];
  });
}

function fingerprint(cell: PlainCell): string {
  const hashed = hashCell(cell);
  if (!hashed) throw new TypeError("the configuration contains a proof");
  return bytesToHex(hashed.hash);
}

function row({ seqno, now }: KeyBlock, changes: readonly Change[] | undefined): Markup {
  return html`<li><div class="row-id">${blockLink({ workchain: -1, shard: masterchainShard, seqno })}<span class="aside">${timeAgo(now)}</span></div>
    <div class="row-lines">${
      changes === undefined
        ? html`<span class="aside">the first key block</span>`
        : changes.length === 0
          ? html`<span class="aside">no change</span>`
          : changes.map(
              ({ number, kind }) =>
                html`<span class="change"><a href="#param${number}">${number} ${parameterName(number)}</a> <span class="aside">${kind}</span></span> `,
            )
    }</div></li>`;
}
