import { ServiceError } from "../../errors.js";

/** An id of a call. Integers beyond ±(2^53 - 1) are bigint. */
export type RpcId = string | number | bigint | null;

/** One element of a message: a call, or the error that it is answered with. */
export type Entry =
  | {
      readonly method: string;
      readonly params: unknown;
      /** The refusal of parameters by position that have no names. */
      readonly paramsError?: ServiceError;
      /** Absent for a notification, which is run but not answered. */
      readonly id?: RpcId;
      readonly error?: never;
    }
  | { readonly id: RpcId; readonly error: ServiceError };

/** A JSON-RPC 2.0 message: one call, or a batch. */
export type Message = {
  readonly batch: boolean;
  readonly entries: readonly Entry[];
  /** Points of the rate limit that it costs, once they were counted. */
  points?: number;
};

/** Reads a parsed value. Throws `too-large`, and `invalid-request` for an empty batch. */
export function messageOf(value: unknown, maxBatch: number): Message {
  if (!Array.isArray(value)) return { batch: false, entries: [entryOf(value)] };
  if (value.length === 0) throw invalid("a batch needs at least one call");
  if (value.length > maxBatch) throw batchTooLarge(value, maxBatch);
  return { batch: true, entries: value.map(entryOf) };
}

/** `limit` shows that fewer calls in one message would be accepted: other errors of this kind concern one call. */
export function batchTooLarge(calls: readonly unknown[], max: number): ServiceError {
  const text = `batch is too large: ${calls.length} calls, at most ${max}`;
  return new ServiceError("too-large", text, { data: { max, limit: "batch" } });
}

/** Checks what json-rpc-2.0 accepts or fails on: `null` entries, objects as ids, other versions. */
function entryOf(value: unknown): Entry {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { id: null, error: invalid("a call must be an object") };
  }
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  const problemOfId = checkId(id);
  if (problemOfId !== undefined) return { id: null, error: invalid(problemOfId) };
  if (jsonrpc !== "2.0") return { id: (id ?? null) as RpcId, error: invalid('jsonrpc must be "2.0"') };
  if (typeof method !== "string")
    return { id: (id ?? null) as RpcId, error: invalid("method must be a string") };
  return id === undefined ? { method, params } : { method, params, id: id as RpcId };
}

function checkId(id: unknown): string | undefined {
  if (id === undefined || isRpcId(id)) return undefined;
  if (typeof id !== "number") return "id must be a string, a number or null";
  return "id must be a string, an integer, or a number up to 2^53 - 1";
}

/** Whether a parsed value is an id that can be echoed. Numbers that have lost digits are not. */
export function isRpcId(id: unknown): id is RpcId {
  if (typeof id === "number") return Math.abs(id) <= Number.MAX_SAFE_INTEGER;
  return typeof id === "string" || typeof id === "bigint" || id === null;
}

/** The id as JSON. */
export function idText(id: RpcId): string {
  return typeof id === "string" ? JSON.stringify(id) : String(id);
}

export function invalid(reason: string): ServiceError {
  return new ServiceError("invalid-request", reason);
}
