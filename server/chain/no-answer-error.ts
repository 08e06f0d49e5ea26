import { LiteError, liteErrorCode } from "./lite-api.js";

/** Our deadline passed without an answer, unlike a 652 that a liteserver itself sends. */
export class NoAnswerError extends LiteError {
  constructor() {
    super(liteErrorCode.timeout, "timeout");
  }
}
