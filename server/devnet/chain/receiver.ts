import type { RunEnvironment } from "../../../shared/ton/run/method-request.js";
import { startLtAfter } from "../../../shared/ton/tlb/block-lt.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { publish } from "../collate/masterchain/public-libraries.js";
import { runEnvironment } from "../collate/step.js";
import type { Fetched } from "../fork/imports.js";
import type { ExternalMessage } from "../mempool/mempool.js";
import type { BlockSeeds } from "../moment/block-seeds.js";
import type { ChainClock } from "../moment/clock.js";
import { storedAccount, type Tip, utimeOf } from "../moment/tip.js";

/** Conditions of the next block, which is made in `inMs` milliseconds, with logical times after `afterLt`. */
type Coming = {
  tip: Tip;
  clock: ChainClock;
  seeds: BlockSeeds;
  inMs: number;
  afterLt?: bigint | undefined;
};

type ComingReceiver = {
  /** Its account is undefined if it does not exist. */
  receiver: { account: ShardAccount | undefined; lt: bigint };
  environment: RunEnvironment & { config: ReturnType<typeof runEnvironment>["config"] };
};

/** The receiver of a message in the next block, and its environment there. `imported`: what a fork imports for it. */
export function receiverOf(
  { destination: { workchain, hash } }: ExternalMessage,
  { tip, clock, seeds, inMs, afterLt = 0n }: Coming,
  imported: Fetched | undefined,
): ComingReceiver {
  const { masterchain: master, basechain } = tip;
  const environment = runEnvironment(master, {
    utime: clock.next(utimeOf(tip), inMs),
    randSeed: seeds.of(workchain, master.tip.id.seqno + 1),
  });
  const lt = startLtAfter(master.state.genLt, basechain.state.genLt, afterLt) + 1n;
  const account = storedAccount(tip, workchain, hash) ?? imported?.account;
  if (!imported || imported.libraries.length === 0) return { receiver: { account, lt }, environment };
  const known = master.state.totals.value.libraries;
  const { configAddr } = master.master.config;
  const libraries = imported.libraries.reduce((all, root) => publish(all, root, configAddr), known);
  return { receiver: { account, lt }, environment: { ...environment, libraries: libraries.root } };
}
