// Entry of a pool's worker thread: runs one call at a time.
// Module state: the entry of a thread.

import { setPriority } from "node:os";
import { ownPort } from "../../os/own-port.js";
import { threadClock } from "../../os/thread-clock.js";
import { kernelThreadId } from "../../os/thread-time.js";
import type { EmulatorCall } from "./calls.js";
import { EmulatorHost } from "./emulator-host.js";
import { emulatorSource } from "./emulator-source.js";
import { ExecutorError } from "./executor-error.js";
import type { PoolWorkerAnswer, PoolWorkerHello, PoolWorkerJob, PoolWorkerStart } from "./pool-thread.js";

const port = ownPort();
let start: (given: PoolWorkerStart) => void;
const started = new Promise<PoolWorkerStart>((resolve) => {
  start = resolve;
});
const source = started.then((given) => ("source" in given ? given.source : emulatorSource(given.wasm)));
const host = load();
/**
 * A second emulator, for states and configurations that callers suppose. They can break it; calls about the chain wait
 * for neither its repair nor their own configuration. Made for the first such call.
 */
let supposing: Promise<EmulatorHost> | undefined;
// Only afterwards, so that a replacement thread starts quickly.
void host.finally(yieldToServing);
const now = threadClock();
let config = "";
let params = "";

port.on("message", async (message: PoolWorkerJob | PoolWorkerStart) => {
  if (!("call" in message)) return start(message);
  const { call, newConfig, newParams } = message;
  config = newConfig ?? config;
  params = newParams ?? params;
  port.postMessage(await run({ params, ...call }));
});

async function run(call: EmulatorCall): Promise<PoolWorkerAnswer> {
  let before: number | undefined;
  const spent = () => (before === undefined ? 0 : now() - before);
  try {
    const loaded = await hostFor(call);
    before = now();
    const output = loaded.execute(call, () => config);
    return { output, cpuMs: spent() };
  } catch (error) {
    const code = error instanceof ExecutorError ? error.code : "crashed";
    return { code, message: error instanceof Error ? error.message : String(error), cpuMs: spent() };
  }
}

async function load(): Promise<EmulatorHost> {
  const loaded = await createHost();
  port.postMessage({ kernelThread: kernelThreadId(), source: await source } satisfies PoolWorkerHello);
  return loaded;
}

function hostFor({ isSupposed }: EmulatorCall): Promise<EmulatorHost> {
  if (!isSupposed) return host;
  supposing ??= createHost();
  return supposing;
}

async function createHost(): Promise<EmulatorHost> {
  return EmulatorHost.create(await source);
}

/** Lowers the thread's priority, so that on few cores runs do not delay requests. */
function yieldToServing(): void {
  // Linux takes 0 for the calling thread, other systems for the whole process.
  if (process.platform !== "linux") return;
  try {
    setPriority(0, 12);
  } catch {
    // Not permitted in some sandboxes: runs then have normal priority.
  }
}
