import { ExecutorError } from "../../chain/executor/executor-error.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import { Deadline } from "../../os/deadline.js";
import {
  type EmulatedContract,
  type EmulatedDetection,
  type EmulatedStates,
  recogniseEmulated,
} from "./emulated-contracts.js";

/** Limits of a recognition: CPU time of get-methods, and elapsed time. */
type RecognitionLimits = { cpuMs: number; ms: number };

/** `isCut`: a limit was reached, and nothing was recognised. */
export type Recognition = { contracts: EmulatedContract[]; isCut: boolean; cpuMs: number };

/** Recognises the contracts of a trace within limits. */
export async function recogniseWithin(
  detection: EmulatedDetection,
  states: EmulatedStates,
  call: RunCall,
  limits: RecognitionLimits,
): Promise<Recognition> {
  const deadline = new Deadline(limits.ms, call.signal);
  let cpuMs = 0;
  const spent = (ms: number) => {
    call.spent?.(ms);
    cpuMs += ms;
    if (cpuMs > limits.cpuMs) deadline.fire(new Error("the get-methods of the trace take too long"));
  };
  try {
    const bounded = { ...call, signal: deadline.signal, spent };
    return { contracts: await recogniseEmulated(detection, states, bounded), isCut: false, cpuMs };
  } catch (error) {
    const isBusy = error instanceof ExecutorError && error.code === "busy";
    if (call.signal?.aborted || !(isBusy || deadline.signal.aborted)) throw error;
    return { contracts: [], isCut: true, cpuMs };
  } finally {
    deadline.clear();
  }
}
