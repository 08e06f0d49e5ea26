import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import {
  type AccountId,
  type LiteCall,
  LiteError,
  liteErrorCode,
} from "../../../shared/ton/lite/lite-api.js";
import type { ForkedAccount, ForkedAccounts } from "../../../shared/ton/proofs/read/outside.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { isImported } from "./imports.js";
import { type ForkOrigin, OriginError } from "./origin.js";

/** Reads of the forked network for other threads. Arguments and results are plain data. */
export interface ForkReads extends ForkedAccounts {
  /** The block at which the fork begins; undefined if the chain forks no network. */
  start(): Promise<BlockIdExt | undefined>;
}

/** Reads of an origin; without one there is nothing to read. */
export function forkReads(origin: ForkOrigin | undefined): ForkReads {
  return {
    start: async () => origin?.start.block,
    async account(
      { workchain, id }: AccountId,
      { signal }: LiteCall = {},
    ): Promise<ForkedAccount | undefined> {
      const address = new Address(workchain, id);
      if (!origin || !isImported(address)) return undefined;
      const found = await asked(origin.account(address, signal));
      if (!found?.account.value) return undefined;
      const { account, lastTransHash, lastTransLt } = found;
      return { account: serializeBoc(account.cell), lastTransHash, lastTransLt };
    },
  };
}

/** An answer of the origin. Failures become errors of a liteserver. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    throw new LiteError(liteErrorCode.notReady, `the forked network does not answer: ${error.message}`);
  }
}
