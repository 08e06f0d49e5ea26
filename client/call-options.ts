/** Options of one call, accepted by every method of a client. */
export type CallOptions = {
  /** Rejects this caller with code `aborted`. Other callers of the same shared request still get the answer. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline in ms, including time in the queue and retries; 0 for no deadline. */
  readonly timeoutMs?: number | undefined;
};
