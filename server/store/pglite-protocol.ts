/** Where the database lies; without a folder in memory. */
export type PgliteConfig = { folder?: string };

/** To the thread: bytes of the PostgreSQL protocol, whole messages. `open` begins a new session. */
export type ToPglite =
  | { type: "open"; id: number }
  | { type: "bytes"; id: number; bytes: Uint8Array }
  | { type: "close" };

/** From the thread, in the order of what it was sent. */
export type FromPglite =
  | { type: "ready" }
  | { type: "opened"; id: number }
  | { type: "bytes"; id: number; bytes: Uint8Array }
  | { type: "done"; id: number }
  | { type: "failed"; message: string };
