import type { FallbackReason } from "../../observe/fallback.js";
import type { Failure } from "../../os/channel/failure.js";
import type { KeptImage } from "../database.js";

/** The folder of the database. Without one it is in memory, and begins with an image, or empty. */
export type PgliteConfig = { folder?: string | undefined; image?: string | undefined };

/** Whole messages of the PostgreSQL protocol, of a session. */
type SessionBytes = { session: number; bytes: Uint8Array<ArrayBuffer> };

/** The calls of the thread, which does their work in their order. */
export type PgliteSide = {
  /** Opens the database; the first call. */
  open(config: PgliteConfig): Promise<void>;
  /** Ends the session before, and its transaction. */
  begin(none: undefined): Promise<void>;
  /** Resolves when the answer has been sent. */
  run(request: SessionBytes): Promise<void>;
  /** Keeps an image once no transaction is open. */
  keep(image: KeptImage): Promise<void>;
  /** The thread ends then. */
  close(none: undefined): Promise<void>;
};

/** What the thread sends. */
export type PgliteEvents = {
  bytes(answer: SessionBytes): void;
  fallback(fallback: { reason: FallbackReason; failure: Failure }): void;
};
