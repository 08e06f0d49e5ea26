import { accountIdOf } from "../../../shared/ton/lite/account-id.js";
import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { Address } from "../../../shared/values/address.js";
import { systemTimers } from "../../../shared/values/timers.js";
import { ForkTokens } from "../../contracts/fork-tokens/fork-tokens.js";
import { ServiceError } from "../../errors.js";
import type { Begin } from "../../methods/devnet/settlement.js";
import { pause } from "../../os/pause.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { hasQueued } from "../../store/queries/upkeep/recognition-queue.js";
import type { Context } from "../context/context.js";
import { forkJettonsOf } from "../context/fork-options.js";
import type { IndexPart } from "../index/index-part.js";
import type { ChainSource } from "../network/chain-source.js";
import type { MethodDeps } from "./method-deps.js";

/** Share of a call's deadline for which an answer waits for a search. */
const share = 0.6;
/** Between looks at the accounts that are recognised later. */
const lookMs = 100;

type Parts = {
  source: Pick<ChainSource, "devnet" | "events" | "outside">;
  deps: Pick<MethodDeps, "reader" | "recogniser">;
  index: IndexPart["reader"];
  /** Waits until the index has a block. */
  begin: Begin;
};

/** Finds tokens of the network that the devnet forks; undefined for other networks, and without an index. */
export function openForkTokens(
  { config }: Pick<Context, "config">,
  { source: { devnet, events, outside }, deps: { reader, recogniser: runner }, index, begin }: Parts,
): ForkTokens | undefined {
  if (!devnet || !outside || !config.index) return undefined;
  const tokens = new ForkTokens({
    ...{ reader, runner, network: devnet.fork, timers: systemTimers },
    jettons: forkJettonsOf(config),
    waitMs: share * config.callTimeoutMs,
    async store(accounts) {
      const block = await devnet.fork.importAccounts(accounts.map(accountIdOf));
      const settling = begin();
      const isStored = await settling.at(block);
      if (!isStored || !(await areRecognised(accounts, index, settling.leftMs)))
        throw new LiteError(liteErrorCode.timeout, "the index has not yet all that was found: read again");
    },
  });
  events?.onReverted(() => tokens.forget());
  return tokens;
}

/** Waits for accounts that the index recognises later than the block that has them. Returns whether none is left. */
async function areRecognised(
  accounts: readonly Address[],
  index: IndexPart["reader"],
  maxMs: number,
): Promise<boolean> {
  const keys = accounts.map(addressToBytes);
  const { signal } = new AbortController();
  const call = { signal, asked: new Set<number>(), options: {}, unlimited: true };
  const endsAt = performance.now() + maxMs;
  try {
    while (await index.read(call, (queries) => hasQueued(queries, keys))) {
      if (performance.now() >= endsAt) return false;
      await pause(lookMs, undefined);
    }
    return true;
  } catch (error) {
    // The caller's own read of the index says why it cannot be read.
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
