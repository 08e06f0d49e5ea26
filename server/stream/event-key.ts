import { base64ToBytes, bytesToBase64Url } from "../../shared/values/bytes.js";

/** The order of events within a masterchain block. */
export const ranks = {
  transactions: 1,
  account_state_change: 2,
  jettons_change: 3,
  trace: 4,
  actions: 5,
} as const;

/** The place of a finalized event: a total order that is the same in every process. */
export type EventKey = {
  readonly seqno: number;
  readonly rank: number;
  readonly lt: bigint;
  readonly id: string;
};

export function compareKeys(a: EventKey, b: EventKey): number {
  if (a.seqno !== b.seqno) return a.seqno - b.seqno;
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** A key as text that clients give back. `chain` tells chains apart. */
export function cursorOf({ seqno, rank, lt, id }: EventKey, chain: string): string {
  return bytesToBase64Url(new TextEncoder().encode(`c1.${seqno}.${rank}.${lt}.${id}.${chain}`));
}

const longestCursor = 512;
const cursorText = /^c1\.(\d{1,10})\.(\d{1,2})\.(\d{1,20})\.([^.]{0,128})\.([0-9a-f]{8})$/;

/** The key in a cursor; `undefined` if it is none, or of another chain. */
export function keyOfCursor(cursor: string, chain: string): EventKey | undefined {
  if (cursor.length > longestCursor) return undefined;
  const bytes = base64ToBytes(cursor);
  const [, seqno, rank, lt, id, ofChain] = (bytes && cursorText.exec(new TextDecoder().decode(bytes))) ?? [];
  if (ofChain !== chain) return undefined;
  return { seqno: Number(seqno), rank: Number(rank), lt: BigInt(lt!), id: id! };
}
