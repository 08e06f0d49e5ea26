import { type Definitions, type Handlers, mapHandlers } from "../../../shared/methods/define.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { isNotFound, isNotReady } from "../../../shared/ton/lite/not-found.js";
import { liteErrorText } from "../../../shared/ton/present/errors.js";
import { ServiceError } from "../../errors.js";
import { serviceErrorOf } from "../chain-errors.js";
import { mapErrors } from "../handler-wraps.js";

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
    throw explain(error, context);
  }
}

/** Handlers with errors of the chain mapped to TON Center's v2 texts and statuses. */
export function mapChainErrors<Group extends Definitions, Deps>(
  handlers: Handlers<Group, Deps>,
): Handlers<Group, Deps> {
  return mapHandlers(
    handlers,
    mapErrors((error) => explain(error)),
  );
}

function explain(error: unknown, context?: string): unknown {
  const known = serviceErrorOf(error);
  return known instanceof LiteError ? explainLiteError(known, context) : known;
}
