import type { FallbackReason } from "../../observe/fallback.js";
import type { KeptImage } from "../database.js";

/** The folder of the database. Without one it is in memory, and begins with an image, or empty. */
export type PgliteConfig = { folder?: string | undefined; image?: string | undefined };

/** Messages to the thread. `open` begins a new session; `bytes` are whole messages of the PostgreSQL protocol. */
export type ToPglite =
  | { type: "open"; id: number }
  | { type: "bytes"; id: number; bytes: Uint8Array }
  | ({ type: "keep" } & KeptImage)
  | { type: "close" };

/** Messages from the thread, in the order of the requests. */
export type FromPglite =
  | { type: "ready" }
  | { type: "opened"; id: number }
  | { type: "bytes"; id: number; bytes: Uint8Array }
  | { type: "done"; id: number }
  | { type: "failed"; message: string }
  | { type: "fallback"; reason: FallbackReason; message: string };
