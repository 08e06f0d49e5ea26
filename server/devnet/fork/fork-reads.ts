import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import {
  type AccountId,
  type LiteApi,
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

/** The liteservers of the origin, as of all its blocks. Without them every call fails. */
export function networkApi(origin: ForkOrigin | undefined): LiteApi {
  // The cast is safe: callers' types have checked the name and the arguments.
  return new Proxy({} as LiteApi, {
    get:
      (_, name: keyof LiteApi) =>
      async (...request: unknown[]) => {
        const api = origin?.api as Record<string, (...request: unknown[]) => Promise<unknown>> | undefined;
        if (!api) throw new LiteError(liteErrorCode.notReady, "the forked network has no liteservers here");
        try {
          return await api[name]!(...request);
        } catch (error) {
          if (error instanceof LiteError) throw error;
          const { message } = error as Error;
          throw new LiteError(liteErrorCode.notReady, `the forked network does not answer: ${message}`);
        }
      },
  });
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
