// How TON's emulator takes a transaction and answers it, for all programs that run it.
import { bytesToHex } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";
import { decode } from "../tlb/codec.js";
import { Message } from "../tlb/message.js";
import type { StackValue } from "../tvm/stack.js";
import type { TickTockRequest, TransactionRequest, TransactionResult } from "./account-request.js";
import type { LogDetail, RunEnvironment } from "./method-request.js";
import { UnusableRun } from "./unusable-run.js";

/** The emulator's answer as a JSON document. */
export type TransactionOutput =
  | { success: true; transaction: string; shard_account: string; actions: string | null; vm_log: string }
  | { success: false; error: string; external_not_accepted: true; vm_exit_code: number; vm_log: string }
  | { success: false; error: string; external_not_accepted: false };

export const verbosity: Readonly<Record<LogDetail, number>> = {
  none: 0,
  steps: 1,
  quiet: 3,
  gas: 3,
  stack: 5,
};
/** Logs in which instructions such as DUMPSTK print. A text is made before it is cut, so others do without. */
export const printing: ReadonlySet<LogDetail> = new Set<LogDetail>(["gas", "stack"]);
/** Explicit null: without it the emulator keeps the previous blocks of an earlier run. */
export const noPreviousBlocks: StackValue = { type: "null" };

/** The emulator's errors that are the message's fault. Its other ones are its own, or the configuration's. */
const ofMessage =
  /inbound external message rejected|cannot unpack input message|Can't unpack inbound|Can't deserialize message boc|Can't extract account address/;

/** The parameters of a message, tick or tock. Throws an UnusableRun where the emulator would fail. */
export function accountParams(request: TransactionRequest | TickTockRequest): string {
  const { now, lt, randSeed, shardAccount, log = "none" } = request;
  if ("message" in request) checkMessage(request.message);
  checkEnvironment(request);
  if (randSeed.every((byte) => byte === 0))
    throw new UnusableRun("a transaction's random seed must not be zero");
  if (lt < 1n || lt >= 1n << 64n) throw new UnusableRun("a logical time lies in 1..2^64-1");
  if (shardAccount.exotic || shardAccount.ref(0).exotic)
    throw new UnusableRun("an account must be an ordinary cell");
  // All fields are required: the emulator keeps the values of the previous call for missing ones.
  return JSON.stringify({
    utime: now,
    lt: lt.toString(),
    rand_seed: bytesToHex(randSeed),
    debug_enabled: printing.has(log),
    ignore_chksig: ("message" in request && request.ignoreSignatures) ?? false,
    ...("which" in request && { is_tick_tock: true, is_tock: request.which === "tock" }),
  });
}

/** Throws an UnusableRun where the emulator would take other values. */
export function checkEnvironment({ now, randSeed }: RunEnvironment): void {
  // 0 stands for the system clock.
  if (!Number.isInteger(now) || now < 1 || now > 0xffffffff)
    throw new UnusableRun("a time lies in 1..2^32-1");
  if (randSeed.length !== 32) throw new UnusableRun("a random seed has 32 bytes");
}

/** The emulator dereferences a null pointer if a cell does not parse, as with pruned branches. */
export function refusePruned({ levelMask }: Cell): void {
  if (levelMask !== 0) throw new UnusableRun("a cell with pruned parts cannot be run");
}

/** The emulator crashes on an exotic body. Contracts cannot send one, external messages can have one. */
function checkMessage(message: Cell): void {
  if (message.exotic) throw new UnusableRun("a message must be an ordinary cell");
  // The body is the last reference; an exotic cell there may also be the code or data of an init.
  if (message.refs.at(-1)?.exotic && hasBodyInRef(message))
    throw new UnusableRun("a body must be an ordinary cell");
}

function hasBodyInRef(message: Cell): boolean {
  try {
    return decode(Message, message).bodyInRef;
  } catch (cause) {
    throw new UnusableRun("the message cannot be read", cause);
  }
}

/** The result in an answer. Throws an UnusableRun if the emulator has failed for another reason than the message. */
export function resultOfOutput(
  output: TransactionOutput,
  emulatorLog: string,
  cellOf: (base64: string) => Cell,
): TransactionResult {
  if (output.success)
    return {
      outcome: "done",
      transaction: cellOf(output.transaction),
      shardAccount: cellOf(output.shard_account),
      // Nothing but a transaction's log shows them.
      get actions() {
        return output.actions === null ? undefined : cellOf(output.actions);
      },
      vmLog: output.vm_log,
      emulatorLog,
    };
  if (!output.external_not_accepted) {
    if (!ofMessage.test(output.error)) throw new UnusableRun(`The executor failed: ${output.error}`);
    return { outcome: "impossible", reason: output.error };
  }
  const { error: reason, vm_exit_code: exitCode, vm_log: vmLog } = output;
  return { outcome: "refused", reason, exitCode, vmLog, emulatorLog };
}
