import { base64ToBytes, bytesToBase64Url, bytesToHex } from "../../../shared/values/bytes.js";
import type { UnitName } from "../../store/queries/blocks/units.js";
import type { SubscribedType } from "./filter.js";

/** The order of events within a masterchain block. Types of equal rank are the same event in both protocols. */
export const ranks: Readonly<Record<SubscribedType, number>> = {
  block: 0,
  transactions: 1,
  transaction: 1,
  account_state_change: 2,
  account: 2,
  jettons_change: 3,
  jetton: 3,
  trace: 4,
  message: 6,
  trace_record: 4,
  actions: 5,
  action: 5,
};
/** Sorts after all events of a block. */
const endRank = 9;

/** Sort key of a finalized event: a total order, identical in every process. */
export type EventKey = {
  readonly seqno: number;
  readonly rank: number;
  readonly lt: bigint;
  readonly id: string;
  /** Beginning of the masterchain block's hash; reveals whether the block of a cursor was reverted. */
  readonly unit?: string;
};

/** Orders keys as their events are sent: below 0 if `a` is sent first. */
export function compareKeys(a: EventKey, b: EventKey): number {
  if (a.seqno !== b.seqno) return a.seqno - b.seqno;
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** The position after all events of a masterchain block. */
export function endOf(unit: Pick<UnitName, "seqno" | "rootHash">): EventKey {
  return { seqno: unit.seqno, rank: endRank, lt: 0n, id: "", unit: unitMark(unit) };
}

/** Enough of a block's hash to distinguish it from a replacement block. */
export function unitMark({ rootHash }: Pick<UnitName, "rootHash">): string {
  return bytesToHex(rootHash.subarray(0, 4));
}

/** Encodes a key as the cursor that clients send back. `chain` identifies the chain. */
export function cursorOf({ seqno, rank, lt, id, unit = "" }: EventKey, chain: string): string {
  return bytesToBase64Url(new TextEncoder().encode(`c1.${seqno}.${rank}.${lt}.${id}.${unit}.${chain}`));
}

const longestCursor = 512;
const cursorText = /^c1\.(\d{1,10})\.(\d{1,2})\.(\d{1,20})\.([^.]{0,128})\.([0-9a-f]{8})?\.([0-9a-f]{8})$/;

/** Decodes a cursor; `undefined` if it is malformed or of another chain. */
export function keyOfCursor(cursor: string, chain: string): EventKey | undefined {
  if (cursor.length > longestCursor) return undefined;
  const bytes = base64ToBytes(cursor);
  const found = bytes && cursorText.exec(new TextDecoder().decode(bytes));
  const [, seqno, rank, lt = "", id = "", unit, ofChain] = found ?? [];
  if (ofChain !== chain) return undefined;
  return {
    seqno: Number(seqno),
    rank: Number(rank),
    lt: BigInt(lt),
    id,
    ...(unit !== undefined && { unit }),
  };
}
