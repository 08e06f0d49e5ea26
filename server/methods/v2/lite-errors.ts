import { type Definitions, type Handlers, mapHandlers } from "../../../shared/methods/define.js";
import { LiteError } from "../../chain/lite-api.js";
import { isNotReady } from "../../chain/not-found.js";
import { ServiceError } from "../../errors.js";
import { serviceErrorOf } from "../chain-errors.js";
import { mapErrors } from "../wraps.js";

/** How error texts call the codes of liteservers; clients look for these words. */
const names: ReadonlyMap<number, string> = new Map([
  [601, "FAILURE"],
  [602, "ERROR"],
  [603, "WARNING"],
  [621, "PROTOVIOLATION"],
  [651, "NOTREADY"],
  [652, "TIMEOUT"],
  [653, "CANCELLED"],
]);

/** `LITE_SERVER_NOTREADY: …`, with what the service was about to do in front where the interface says that. */
export function explainLiteError(error: LiteError, doing = ""): ServiceError {
  const text = `${doing}LITE_SERVER_${names.get(error.code) ?? "UNKNOWN"}: ${error.message}`;
  const data = { liteserver_code: error.code, ...(isNotReady(error) && { retry_after: 1 }) };
  return new ServiceError("liteserver-error", text, { data, cause: error });
}

/** A step of an answer whose failures name it. */
export async function withErrorContext<T>(doing: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw explain(error, doing);
  }
}

/** Handlers that answer what a liteserver refuses in the words of the v2 interface. */
export function explainingLiteErrors<Group extends Definitions, Deps>(
  handlers: Handlers<Group, Deps>,
): Handlers<Group, Deps> {
  return mapHandlers(
    handlers,
    mapErrors((error) => explain(error)),
  );
}

function explain(error: unknown, doing?: string): unknown {
  return error instanceof LiteError ? explainLiteError(error, doing) : serviceErrorOf(error);
}
