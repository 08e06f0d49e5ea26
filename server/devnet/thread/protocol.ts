import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { FallbackReason } from "../../observe/fallback.js";
import type { DevnetSetup } from "../control/setup.js";
import type { Devnet } from "../devnet.js";
import type { Failure } from "./failure.js";

/** The members of a devnet whose methods can be called from another thread. */
export type Target = Exclude<keyof Devnet, "close" | "setupView">;

/** Messages to the devnet's thread. */
export type ToDevnet =
  /** `cancellable`: the last argument is a LiteCall, whose signal is replaced by "cancel" messages. */
  | { type: "call"; id: number; target: Target; method: string; args: unknown[]; cancellable: boolean }
  | { type: "cancel"; id: number }
  | { type: "close" };

/** A line for the log of the process. */
export type LogLine = { severity: "info" | "warn"; fields: Record<string, unknown>; text: string };

/** Events sent by the devnet. */
export type DevnetEvent =
  | { type: "head"; head: BlockIdExt }
  | { type: "reverted"; mcSeqno: number }
  | { type: "accepted"; message: Uint8Array; ignoresSignatures: boolean }
  | { type: "dropped"; message: Uint8Array }
  | { type: "setup"; setup: DevnetSetup }
  | { type: "degraded"; reason: string | undefined }
  | { type: "fallback"; reason: FallbackReason; failure: Failure }
  | { type: "log"; line: LogLine }
  | { type: "error"; failure: Failure };

/** Messages from the devnet's thread, sent in lists. */
export type FromDevnet =
  | { type: "ready" }
  | { type: "answer"; id: number; value: unknown }
  | { type: "failure"; id: number; failure: Failure }
  | { type: "event"; event: DevnetEvent };

/**
 * Copies byte arrays that are views of larger buffers, because structured cloning would copy the whole buffer. Returns
 * plain objects.
 */
export function compacted(value: unknown): unknown {
  if (value instanceof Uint8Array)
    return value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
  if (Array.isArray(value)) return value.map(compacted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, compacted(field)]));
}
