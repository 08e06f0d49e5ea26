import { LiteError, liteErrorCode } from "../../shared/ton/lite/lite-api.js";

/** Reason for refusing a request. Callers map it to a status. */
export type DevnetErrorKind = "not-found" | "conflict" | "invalid" | "unavailable";

/** A refused request to the devnet. The message is shown to the client. */
export class DevnetError extends Error {
  override readonly name = "DevnetError";
  readonly kind: DevnetErrorKind;

  constructor(kind: DevnetErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Throws the error of a liteserver for a message that the devnet cannot accept at the moment. */
export function throwLiteError(error: unknown): never {
  throw error instanceof DevnetError ? new LiteError(liteErrorCode.notReady, error.message) : error;
}
