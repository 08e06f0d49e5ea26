// Entry of an executor's worker thread: runs one call at a time.
// Module state: the entry of a thread.

import { setPriority } from "node:os";
import { withResolvers } from "../../../../shared/values/promises.js";
import { OwnThread } from "../../../os/channel/thread.js";
import { kernelThreadId, threadClock } from "../../../os/thread-clock.js";
import type { EmulatorCall } from "../calls.js";
import { ExecutorError } from "../executor-error.js";
import { EmulatorHost } from "../patches/emulator-host.js";
import { emulatorSource } from "../patches/emulator-source.js";
import type {
  ExecutorWorkerEvents,
  ExecutorWorkerSide,
  ExecutorWorkerStart,
  MeasuredOutput,
} from "./executor-thread.js";

const started = withResolvers<ExecutorWorkerStart>();
const source = started.promise.then((given) =>
  "source" in given ? given.source : emulatorSource(given.wasm),
);
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

const handlers: ExecutorWorkerSide = {
  start: (given) => started.resolve(given),
  run({ call, newConfig, newParams }) {
    config = newConfig ?? config;
    params = newParams ?? params;
    return run({ params, ...call });
  },
};

const owner = new OwnThread<ExecutorWorkerEvents>({ handlers, errors: { ExecutorError } });

async function run(call: EmulatorCall): Promise<MeasuredOutput> {
  let before: number | undefined;
  const spent = () => (before === undefined ? 0 : now() - before);
  try {
    const loaded = await hostFor(call);
    before = now();
    const output = loaded.execute(call, () => config);
    return { output, cpuMs: spent() };
  } catch (error) {
    const code = error instanceof ExecutorError ? error.code : "crashed";
    throw ExecutorError.after(spent(), code, error instanceof Error ? error.message : String(error));
  }
}

async function load(): Promise<EmulatorHost> {
  const loaded = await createHost();
  owner.tell("ready", { kernelThread: kernelThreadId(), source: await source });
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
