import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { type BlockIdExt, masterchain } from "../../../shared/ton/tlb/block-id.js";
import { blockLts, startLtAfter } from "../../../shared/ton/tlb/block-lt.js";
import type { Address } from "../../../shared/values/address.js";

/** Properties of a block that its transactions can read. */
export type ComingBlock = { readonly startLt: bigint; readonly now: number };

/** The end of a masterchain block, or of the zero state. */
export type BlockEnd = { readonly lt: bigint; readonly utime: number };

/**
 * The blocks after a masterchain block, as they will be if little happens: in each step shard blocks, then the masterchain
 * block that registers them, with a second between the steps.
 */
export class ComingBlocks {
  readonly #end: BlockEnd;

  private constructor(end: BlockEnd) {
    this.#end = end;
  }

  /**
   * `any` is an account that is read anyway, because the header of the zero state has no time. `supposed` replaces the
   * end that is read.
   */
  static async after(
    block: BlockIdExt,
    any: Address,
    reader: Pick<ChainReader, "header" | "account">,
    call: LiteCall,
    supposed: Partial<BlockEnd> = {},
  ): Promise<ComingBlocks> {
    if (block.seqno === 0) {
      const { syncUtime } = await reader.account(block, any, call);
      return new ComingBlocks({ lt: 0n, utime: syncUtime, ...supposed });
    }
    const { info } = await reader.header(block, call);
    return new ComingBlocks({ lt: info.endLt, utime: info.genUtime, ...supposed });
  }

  /** The blocks of a step, counted from 1. */
  step(number: number): { shards: ComingBlock; masterchain: ComingBlock } {
    const startLt = startLtAfter(this.#end.lt) + 2n * blockLts * BigInt(number - 1);
    const now = this.#end.utime + number;
    return { shards: { startLt, now }, masterchain: { startLt: startLt + blockLts, now } };
  }

  /** The end of a step, for the blocks that follow it. */
  endOf(number: number): BlockEnd {
    const { startLt, now } = this.step(number).masterchain;
    return { lt: startLt, utime: now };
  }
}

/** Whether an account is in the masterchain. */
export function isInMasterchain({ workchain }: Address): boolean {
  return workchain === masterchain;
}
