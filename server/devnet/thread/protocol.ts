import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import type { FallbackReason } from "../../observe/fallback.js";
import type { Failure } from "../../os/channel/failure.js";
import type { DevnetSetup } from "../control/setup.js";
import type { Devnet, DevnetConfig } from "../devnet.js";
import { DevnetError } from "../devnet-error.js";

/** Classes of errors that calls reject with. */
export const errors = { LiteError, DevnetError, ExecutorError };

/** The members of a devnet whose methods can be called from another thread. */
export type Target = Exclude<keyof Devnet, "close" | "setupView">;

/** The last argument is a LiteCall if the call has a signal, which it lacks. */
export type DevnetCall = { target: Target; method: string; args: unknown[] };

/** The calls that other threads and processes may make to a devnet. */
export type DevnetCalls = { run(call: DevnetCall, signal?: AbortSignal): Promise<unknown> };

/** The calls that the devnet's owner makes to its thread. */
export type DevnetSide = DevnetCalls & {
  open(config: DevnetConfig): Promise<void>;
  /** The thread ends then. */
  close(none: undefined): Promise<void>;
};

/** A line for the log of the process. */
export type LogLine = { severity: "info" | "warn"; fields: Record<string, unknown>; text: string };

/** Events of a devnet. */
export type DevnetEvents = {
  head(head: BlockIdExt): void;
  reverted(mcSeqno: number): void;
  accepted(message: { message: Uint8Array; ignoresSignatures: boolean }): void;
  dropped(message: Uint8Array): void;
  setup(setup: DevnetSetup): void;
  degraded(reason: string | undefined): void;
  fallback(fallback: { reason: FallbackReason; failure: Failure }): void;
  log(line: LogLine): void;
  error(failure: Failure): void;
};

/**
 * Copies byte arrays that are views of larger buffers, because structured cloning would copy the whole buffer. Returns
 * plain objects.
 */
export function compacted<T>(value: T): T;
export function compacted(value: unknown): unknown {
  if (value instanceof Uint8Array)
    return value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
  if (Array.isArray(value)) return value.map((item) => compacted(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, compacted(field)]));
}
