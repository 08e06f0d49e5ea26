import type { IndexVersion } from "./database.js";

/** The version that a notification, or the first statement of a snapshot, tells of; `undefined` for any other text. */
export function versionIn(text: string): IndexVersion | undefined {
  const [, n, seqno] = /^(\d{1,16}) (\d{1,10})$/.exec(text) ?? [];
  return n === undefined ? undefined : { n: Number(n), seqno: Number(seqno) };
}
