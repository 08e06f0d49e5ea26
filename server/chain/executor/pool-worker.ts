// Entry of a pool's worker thread: one call at a time, answered in turn.
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { EmulatorHost } from "./emulator-host.js";
import { ExecutorError } from "./executor-error.js";
import type { PoolWorkerAnswer, PoolWorkerJob } from "./pool-thread.js";
import type { CompiledEmulator } from "./wasm.js";

const port = parentPort!;
const host = EmulatorHost.create(workerData as CompiledEmulator);
// Not before, so that a thread that is to replace another is soon ready.
void host.finally(yieldToServing);
let config = "";

port.on("message", async ({ call, newConfig }: PoolWorkerJob) => {
  config = newConfig ?? config;
  let answer: PoolWorkerAnswer;
  try {
    answer = { output: (await host).execute(call, () => config) };
  } catch (error) {
    const code = error instanceof ExecutorError ? error.code : "crashed";
    answer = { code, message: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(answer);
});

/** Where cores are few, who serves requests must not wait for runs. */
function yieldToServing(): void {
  // Linux takes 0 for the calling thread, other systems for the whole process.
  if (process.platform !== "linux") return;
  try {
    setPriority(0, 12);
  } catch {
    // Forbidden where the process is locked in: runs are as important as everything else then.
  }
}
