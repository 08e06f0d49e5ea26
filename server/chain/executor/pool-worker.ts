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
const host = load();
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
    const loaded = await host;
    before = now();
    const output = loaded.execute(call, () => config);
    return { output, cpuMs: spent() };
  } catch (error) {
    const code = error instanceof ExecutorError ? error.code : "crashed";
    return { code, message: error instanceof Error ? error.message : String(error), cpuMs: spent() };
  }
}

async function load(): Promise<EmulatorHost> {
  const given = await started;
  const source = "source" in given ? given.source : await emulatorSource(given.wasm);
  const loaded = await EmulatorHost.create(source);
  port.postMessage({ kernelThread: kernelThreadId(), source } satisfies PoolWorkerHello);
  return loaded;
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
