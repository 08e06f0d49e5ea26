import { LiteError, liteErrorCode } from "../../shared/ton/lite/lite-api.js";

/** Our own deadline passed without an answer, unlike a 652 sent by a liteserver. */
export class NoAnswerError extends LiteError {
  static override readonly name = "NoAnswerError";

  constructor() {
    super(liteErrorCode.timeout, "timeout");
  }
}
