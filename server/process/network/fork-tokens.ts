import { systemTimers } from "../../../shared/values/timers.js";
import { ForkTokens } from "../../contracts/fork-tokens/fork-tokens.js";
import type { Begin } from "../../methods/devnet/settlement.js";
import type { Context } from "../service/context.js";
import type { MethodDeps } from "../service/method-deps.js";
import type { ChainSource } from "./chain-source.js";
import { forkJettonsOf } from "./fork-options.js";

/** Share of a call's deadline for which an answer waits for a search. */
const share = 0.6;

type Parts = {
  source: Pick<ChainSource, "devnet" | "events" | "outside">;
  deps: Pick<MethodDeps, "reader" | "recogniser">;
  /** Waits until the index has a block. */
  begin: Begin;
};

/** Finds tokens of the network that the devnet forks; undefined for other networks, and without an index. */
export function openForkTokens(
  { config }: Pick<Context, "config">,
  { source: { devnet, events, outside }, deps: { reader, recogniser: runner }, begin }: Parts,
): ForkTokens | undefined {
  if (!devnet || !outside || !config.index) return undefined;
  const tokens = new ForkTokens({
    ...{ reader, runner, network: devnet.fork, timers: systemTimers },
    jettons: forkJettonsOf(config),
    waitMs: share * config.callTimeoutMs,
    async store(accounts) {
      const ids = accounts.map(({ workchain, hash: id }) => ({ workchain, id }));
      await begin().at(await devnet.fork.importAccounts(ids));
    },
  });
  events?.onReverted(() => tokens.forget());
  return tokens;
}
