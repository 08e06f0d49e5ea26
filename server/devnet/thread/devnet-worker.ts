// Entry of the devnet's thread: opens the devnet and answers calls until it is closed.
import { parentPort, workerData } from "node:worker_threads";
import { editionOf } from "../../os/edition.js";
import { type Devnet, type DevnetConfig, openDevnet } from "../devnet.js";
import { failureOf } from "./failure.js";
import { compacted, type DevnetEvent, type FromDevnet, type ToDevnet } from "./protocol.js";

const port = parentPort!;
const cancels = new Map<number, AbortController>();

/** Messages to be sent in one batch. */
let held: FromDevnet[] = [];

function post(message: FromDevnet): void {
  held.push(message);
  flush();
}

function flush(): void {
  if (held.length > 0) port.postMessage(held);
  held = [];
}

function notify(event: DevnetEvent): void {
  post(eventMessage(event));
}

/**
 * Sends an event in one batch with the other messages of this turn, because waking a thread costs more than an event.
 */
function notifyAlong(event: DevnetEvent): void {
  if (held.push(eventMessage(event)) === 1) setImmediate(flush);
}

function eventMessage(event: DevnetEvent): FromDevnet {
  return { type: "event", event: compacted(event) as DevnetEvent };
}

async function answer(devnet: Devnet, call: ToDevnet & { type: "call" }): Promise<void> {
  const { id, target, method, args, cancellable } = call;
  const controller = new AbortController();
  if (cancellable) {
    cancels.set(id, controller);
    args.push({ ...(args.pop() as object), signal: controller.signal });
  }
  try {
    // The cast is safe: the caller's types have checked the name and the arguments.
    const methods = devnet[target] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    post({ type: "answer", id, value: compacted(await methods[method]!(...args)) });
  } catch (error) {
    post({ type: "failure", id, failure: failureOf(error) });
  } finally {
    cancels.delete(id);
  }
}

const devnet = await openDevnet(workerData as DevnetConfig, {
  nowMs: Date.now,
  edition: editionOf(import.meta.url),
  onError: (error) => notify({ type: "error", failure: failureOf(error) }),
  fallback: (reason, error) => notify({ type: "fallback", reason, failure: failureOf(error) }),
  onDegraded: (reason) => notify({ type: "degraded", reason }),
});
devnet.events.onHead((head) => notify({ type: "head", head }));
devnet.events.onReverted((mcSeqno) => notify({ type: "reverted", mcSeqno }));
devnet.mempool.onAccepted((message) => notifyAlong({ type: "accepted", message }));

port.on("message", async (message: ToDevnet) => {
  if (message.type === "call") return answer(devnet, message);
  if (message.type === "cancel") return cancels.get(message.id)?.abort();
  await devnet.close();
  port.close();
});
post({ type: "ready" });
