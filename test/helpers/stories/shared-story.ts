import type { Devnet } from "../../../server/devnet/devnet.js";
import type { Detection } from "../../../server/indexer/recognition/detection.js";
import type { Unsubscribe } from "../../../shared/values/listeners.js";
import { startDetection, startPlainDevnet } from "../index/detection.js";
import { keptService } from "../services/kept-services.js";
import { startStory } from "./story-app.js";

type LentDevnet = Devnet & {
  /** Recognises its contracts. */
  readonly detection: Detection;
};

/**
 * The devnet of `startStory` that files of a worker share. `close` ends the subscriptions of its file, and reverts the chain and its
 * clock to what they were. Files that change its settings start their own.
 */
export async function sharedStory(): Promise<LentDevnet> {
  return lent(await keptService("story devnet", () => startKept(startStory)));
}

/** As `sharedStory`, a devnet without a story. */
export async function sharedDevnet(): Promise<LentDevnet> {
  return lent(await keptService("plain devnet", () => startKept(startPlainDevnet)));
}

function lent({ devnet, detection, snapshot }: KeptDevnet): LentDevnet {
  const subscriptions: Unsubscribe[] = [];
  const keep = (subscription: Unsubscribe) => {
    subscriptions.push(subscription);
    return subscription;
  };
  const { events, mempool } = devnet;
  return {
    ...devnet,
    detection,
    events: {
      onHead: (listener) => keep(events.onHead(listener)),
      onReverted: (listener) => keep(events.onReverted(listener)),
      edited: (seqno) => events.edited(seqno),
    },
    mempool: {
      pending: () => mempool.pending(),
      onAccepted: (listener) => keep(mempool.onAccepted(listener)),
      onDropped: (listener) => keep(mempool.onDropped(listener)),
    },
    unavailableReason: () => devnet.unavailableReason(),
    degradedReason: () => devnet.degradedReason(),
    async close() {
      for (const end of subscriptions) end();
      await devnet.controls.revert(snapshot);
    },
  };
}

type KeptDevnet = Awaited<ReturnType<typeof startKept>>;

async function startKept(start: () => Promise<Devnet>) {
  const devnet = await start();
  const contracts = await startDetection(devnet);
  const { id: snapshot } = await devnet.controls.snapshot();
  return {
    devnet,
    detection: contracts.detection,
    snapshot,
    async close() {
      await contracts.close();
      await devnet.close();
    },
  };
}
