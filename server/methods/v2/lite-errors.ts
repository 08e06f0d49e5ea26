import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { isNotFound, isNotReady } from "../../../shared/ton/lite/not-found.js";
import { liteErrorText } from "../../../shared/ton/present/errors.js";
import { ServiceError } from "../../errors.js";
import { serviceErrorOf } from "../chain-errors.js";

/** `LITE_SERVER_NOTREADY: …`, with a prefix in methods where TON Center names the step that failed. */
export function explainLiteError(error: LiteError, context = ""): ServiceError {
  const text = context + liteErrorText(error);
  const data = {
    liteserver_code: error.code,
    ...(isNotFound(error) && { not_found: true }),
    ...(isNotReady(error) && { retry_after: 1 }),
  };
  return new ServiceError("liteserver-error", text, { data, cause: error });
}

/** Prefixes liteserver errors of one step of a handler. */
export async function withErrorContext<T>(context: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw chainErrorOf(error, context);
  }
}

/** Errors of the chain with TON Center's v2 texts and statuses; other errors unchanged. */
export function chainErrorOf(error: unknown, context?: string): unknown {
  const known = serviceErrorOf(error);
  return known instanceof LiteError ? explainLiteError(known, context) : known;
}

/** For v3 methods that run v2 code: errors keep their v2 text, and their v2 status unless another is given. */
export async function withV2Errors<T>(work: Promise<T>, status?: number): Promise<T> {
  try {
    return await withErrorContext("", work);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "internal") throw error;
    throw new ServiceError(error.code, error.textIn("v2"), {
      status: status ?? error.statusIn("v2"),
      data: error.data,
      words: error.words,
      cause: error,
    });
  }
}
