import type { Exchange } from "../../../../../shared/ton/lite/exchange.js";
import type { LiteCall } from "../../../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../../../shared/ton/tlb/block-id.js";
import type { ProvenValues } from "../claims.js";

/** Options of the calls of a proof, and the answers that they have got: the proof itself. */
export type Asking = { readonly call: LiteCall; readonly exchanges: Exchange[] };

/** A step of a proof, from the values towards the masterchain. */
export type Step = {
  readonly title: string;
  /** One sentence: how it leads to the next step. */
  readonly text: string;
  readonly block?: BlockIdExt | undefined;
  /** Length of its proof. */
  readonly bytes?: number | undefined;
};

/** The values of a subject, and the steps from there to a block of the masterchain. */
export type Proven = { readonly values: ProvenValues; readonly steps: readonly Step[] };

/** Length of the answers of these methods. */
export function bytesOf(exchanges: readonly Exchange[], ...methods: readonly string[]): number {
  return exchanges.reduce(
    (sum, { method, answer }) => sum + (methods.includes(method) ? answer.length : 0),
    0,
  );
}
