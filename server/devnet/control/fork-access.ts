import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { accountIdOf, addressOfId } from "../../../shared/ton/lite/account-id.js";
import {
  type AccountId,
  type LiteApi,
  type LiteCall,
  LiteError,
  liteErrorCode,
} from "../../../shared/ton/lite/lite-api.js";
import type { ForkedAccount, ForkedAccounts } from "../../../shared/ton/proofs/read/outside.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import { throwLiteError } from "../devnet-error.js";
import { isImported } from "../fork/imports.js";
import { type ForkOrigin, type ListedTokens, OriginError } from "../fork/origin.js";

/** The forked network for other threads. Arguments and results are plain data. */
export interface ForkAccess extends ForkedAccounts {
  /** The block at which the fork begins; undefined if the chain forks no network. */
  start(): Promise<BlockIdExt | undefined>;
  /** Tokens of an owner by the network's own API v3, unchecked; undefined if the network has none here. */
  listedTokens(owner: AccountId, call?: LiteCall): Promise<ListedTokens<AccountId> | undefined>;
  /**
   * Imports accounts that a read has found, in blocks with nothing else. Returns the newest masterchain block, whose state
   * has them. Rejects with a LiteError if the network does not answer, and beyond a number of accounts.
   */
  importAccounts(accounts: readonly AccountId[]): Promise<BlockIdExt>;
}

/** Accounts that reads import. Each takes some kilobytes of memory in the state. */
const maxImported = 20_000;
/** Those that are fetched together. */
const perImport = 300;

/** Access to an origin; without one there is nothing to read. */
export function forkAccess(
  origin: ForkOrigin | undefined,
  chain: Pick<DevnetChain, "importAccounts" | "account" | "head" | "reverts">,
): ForkAccess {
  let imported = 0;
  chain.reverts.add((mcSeqno) => {
    if (mcSeqno === 0) imported = 0;
  });
  return {
    start: async () => origin?.start.block,
    async listedTokens(owner, { signal } = {}) {
      const listed = await (origin && asked(origin.listedTokens(addressOfId(owner), signal)));
      return listed && { wallets: listed.wallets.map(accountIdOf), items: listed.items.map(accountIdOf) };
    },
    async importAccounts(accounts) {
      const missing = accounts.filter(({ workchain, id }) => !chain.account(workchain, id));
      if (imported + missing.length > maxImported)
        throw new LiteError(
          liteErrorCode.notReady,
          `reads have imported ${imported} accounts of the forked network, of at most ${maxImported}: begin the fork anew with devnet.fork`,
        );
      for (let at = 0; at < missing.length; at += perImport) {
        const some = missing.slice(at, at + perImport);
        await chain.importAccounts(some.map(addressOfId)).catch(throwLiteError);
        imported += some.length;
      }
      return chain.head;
    },
    async account(account: AccountId, { signal }: LiteCall = {}): Promise<ForkedAccount | undefined> {
      const address = addressOfId(account);
      if (!origin || !isImported(address)) return undefined;
      const found = await asked(origin.account(address, signal));
      if (!found?.account.value) return undefined;
      const { lastTransHash, lastTransLt } = found;
      return { account: serializeBoc(found.account.cell), lastTransHash, lastTransLt };
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
