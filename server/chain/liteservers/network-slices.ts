import { masterchain, shardIsAncestor, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { foundIn } from "../../../shared/values/lookups.js";

/** First or last block of a shard in a slice. `liteserver.descV2.shardInfo shard_id seqno:int utime:int lt:long` */
export type SliceBound = { workchain: number; shard: bigint; seqno: number; utime: number; lt: bigint };

/**
 * A part of the network's history that a server holds: per shard, the blocks between two bounds. An empty `to` means
 * everything after `from`.
 */
export type NetworkSlice = { from: readonly SliceBound[]; to: readonly SliceBound[] };

/** A shard, and the position in its history if known, that a request is about. */
export type ShardPoint = { workchain: number; shard: bigint } & (
  | { when: "now" }
  | { when: "seqno"; value: number }
  | { when: "utime"; value: number }
  | { when: "lt"; value: bigint }
  /** The shard as of this masterchain block. */
  | { when: "masterchain"; value: number }
);

/** `liteserver.descV2.sliceSimple shards`: the whole history of these shards and of the masterchain. */
export function sliceOfShards(shards: readonly { workchain: number; shard: bigint }[]): NetworkSlice {
  const all = [{ workchain: masterchain, shard: wholeShard }, ...shards];
  return { from: all.map((each) => ({ ...each, seqno: 0, utime: 0, lt: 0n })), to: [] };
}

/** Whether one of the slices contains the point. */
export function isHeld(slices: readonly NetworkSlice[], place: ShardPoint): boolean {
  return slices.some(({ from, to }) => {
    const begins = from.some((bound) => meets(bound, place) && isNotBefore(place, bound, from));
    const isOpen = to.length === 0;
    return begins && (isOpen || to.some((bound) => meets(bound, place) && isNotAfter(place, bound, to)));
  });
}

function meets(bound: SliceBound, { workchain, shard }: ShardPoint): boolean {
  if (bound.workchain !== workchain) return false;
  return shardIsAncestor(bound.shard, shard) || shardIsAncestor(shard, bound.shard);
}

function isNotBefore(place: ShardPoint, bound: SliceBound, all: readonly SliceBound[]): boolean {
  return place.when === "now" || boundOf(place, bound, all) <= place.value;
}

/** A slice with an end does not contain the present. */
function isNotAfter(place: ShardPoint, bound: SliceBound, all: readonly SliceBound[]): boolean {
  return place.when !== "now" && boundOf(place, bound, all) >= place.value;
}

function boundOf(
  { when }: Exclude<ShardPoint, { when: "now" }>,
  bound: SliceBound,
  all: readonly SliceBound[],
): number | bigint {
  if (when !== "masterchain") return bound[when];
  return foundIn(all, ({ workchain }) => workchain === masterchain).seqno;
}
