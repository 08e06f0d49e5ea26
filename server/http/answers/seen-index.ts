import type { IncomingMessage } from "node:http";
import { header } from "./headers.js";

export const indexSeqnoHeader = "X-Index-Seqno";
export const maxIndexSeqno = 0x7fffffff;

/** The newest masterchain block that a caller has seen in the index: it is not shown an older state later. */
export class SeenIndex {
  #seqno: number | undefined;

  /** `undefined` before any answer. */
  get seqno(): number | undefined {
    return this.#seqno;
  }

  saw(seqno: number): void {
    if (seqno > (this.#seqno ?? 0)) this.#seqno = seqno;
  }
}

/** The block that a request says its caller has seen. Values other than integers of 31 bits are ignored. */
export function seenIndexIn(request: IncomingMessage): number | undefined {
  const text = header(request, indexSeqnoHeader.toLowerCase());
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const seqno = Number(text);
  return seqno <= maxIndexSeqno ? seqno : undefined;
}

/** Names the newest block of the index that an answer was read from. */
export function indexHeader({ seqno = 0 }: SeenIndex): Readonly<Record<string, string>> {
  return { [indexSeqnoHeader]: String(seqno) };
}
