import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { StateHolder } from "../../../shared/ton/proofs/read/held-states.js";
import { OutsideAccounts } from "../../../shared/ton/proofs/read/outside.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { systemTimers } from "../../../shared/values/timers.js";
import type { ChainEvents } from "../../chain/chain-events.js";
import { RemoteDevnet } from "../../chain/remote-devnet.js";
import type { Devnet } from "../../devnet/devnet.js";
import type { LogLine } from "../../devnet/thread/protocol.js";
import type { ReasonOrText } from "../../observe/health.js";
import type { Context } from "../context/context.js";
import { logFailure } from "../failure-log.js";
import { readGlobalConfig } from "./global-config.js";
import { type LiteserverPool, openLiteserverPool } from "./liteserver-pool.js";
import { hasOwnDevnet, OwnDevnet } from "./own-devnet.js";

/** The chain that is served or indexed: liteservers, an own devnet, or the devnet of another process. */
export type ChainSource = {
  api: LiteApi;
  head: ChainHead;
  /** Events of a devnet, such as a revert; other networks have none. */
  events?: ChainEvents;
  /** Its states, if this process holds them. */
  states?: StateHolder;
  /** The accounts that a fork has not changed. */
  outside?: OutsideAccounts | undefined;
  /** The devnet of this process, with its controls. */
  devnet?: Devnet;
  /** Why the chain cannot be read; `undefined` if it can. */
  unavailableReason(): string | undefined;
  /** Why most reads of the chain fail or are outdated; `undefined` if they do not. */
  degradedReason(): ReasonOrText | undefined;
  /** The progress of the first proof of the chain; `undefined` once it has ended. */
  startupReason?(): string | undefined;
  /** Why a devnet of this process makes no blocks; `undefined` if it does, and on other chains. */
  unwritableReason?(): ReasonOrText | undefined;
  /** The liteservers that the chain is read from. */
  liteservers?: Pick<LiteserverPool, "status">;
};

/**
 * Opens the chain of the configured network: a devnet of this process, or of the process that the global configuration
 * names; for other networks a pool of liteservers.
 */
export async function openSource(context: Context): Promise<ChainSource> {
  const { config } = context;
  if (config.network !== "devnet") return ofLiteservers(await openLiteserverPool(context));
  return hasOwnDevnet(config) ? openOwnDevnet(context) : connectToDevnet(context);
}

function ofLiteservers(liteservers: LiteserverPool): ChainSource {
  const { api, head } = liteservers;
  return {
    api,
    head,
    liteservers,
    unavailableReason: () => liteservers.unavailableReason(),
    degradedReason: () => liteservers.degradedReason(),
    startupReason: () => liteservers.startupReason(),
  };
}

async function openOwnDevnet({
  config,
  startCache,
  closers,
  log,
  fallback,
  now,
  devnet: begun,
}: Context): Promise<ChainSource> {
  const own = begun ?? closers.add(new OwnDevnet(config, startCache), (each) => each.close());
  const onError = (error: Error) => logFailure(log, error, { failed: "the devnet failed" });
  const onLog = ({ severity, fields, text }: LogLine) => log[severity](fields, text);
  const devnet = await own.started({ onError, fallback, onLog });
  const { api, events } = devnet;
  const head = new ChainHead(await api.getMasterchainInfo(), now);
  events.onHead((last) => head.move(last));
  // A block may have been made between the first answer and the subscription.
  head.move((await api.getMasterchainInfo()).last);
  const outside = (await devnet.fork.start()) && new OutsideAccounts(devnet.fork);
  events.onReverted(() => outside?.forget());
  return {
    api,
    outside,
    head,
    events,
    devnet,
    states: devnet.states,
    unavailableReason: () => devnet.unavailableReason(),
    unwritableReason() {
      const detail = devnet.degradedReason();
      return detail === undefined ? undefined : { text: "The chain cannot be stored", detail };
    },
    degradedReason() {
      const problem = devnet.setupView.current.fork?.origin.problem;
      return problem === undefined
        ? undefined
        : { text: "The network of the fork does not answer", detail: problem };
    },
  };
}

async function connectToDevnet(context: Context): Promise<ChainSource> {
  const { config, closers, log, fallback, now, randomBytes, chainWaitMs } = context;
  const { servers, zeroState } = await readGlobalConfig(config.globalConfig!);
  const address = itemAt(servers, 0);
  const from = { address, zeroState, timers: systemTimers };
  const options = { ...from, random: Math.random, randomBytes, fallback };
  const devnet = closers.add(new RemoteDevnet(options), (each) => each.close());
  const head = new ChainHead({ last: zeroState, init: zeroState }, now);
  devnet.events.onHead((last) => head.move(last));
  if (!(await devnet.ready(chainWaitMs)))
    log.warn({ reason: devnet.unavailableReason() }, "the devnet is not reachable yet");
  return {
    api: devnet.api,
    head,
    events: devnet.events,
    unavailableReason: () => devnet.unavailableReason(),
    degradedReason: () => undefined,
  };
}
