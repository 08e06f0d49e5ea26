import { RunError } from "../../shared/ton/run/run-error.js";
import { StackError } from "../../shared/ton/tvm/stack.js";
import { ExecutorError } from "../chain/executor/executor-error.js";
import { NoAnswerError } from "../chain/no-answer-error.js";
import { UnavailableError } from "../chain/unavailable-error.js";
import { ServiceError } from "../errors.js";

/**
 * Maps errors of the chain and the executor to a ServiceError; returns any other error unchanged. That includes error
 * answers of a liteserver (`LiteError`), whose texts are specific to v2.
 */
export function serviceErrorOf(error: unknown): unknown {
  if (error instanceof UnavailableError)
    return new ServiceError("unavailable", error.reason, { cause: error.cause });
  if (error instanceof NoAnswerError) return new ServiceError("timeout", undefined, { cause: error });
  if (error instanceof ExecutorError) return ofExecutor(error);
  if (error instanceof StackError) return ofStack(error);
  if (error instanceof RunError) return ofRun(error);
  return error;
}

function ofExecutor(cause: ExecutorError): ServiceError {
  switch (cause.code) {
    case "timeout":
      return new ServiceError("timeout", cause.stoppedAfterMs === undefined ? undefined : cause.message, {
        cause,
      });
    case "aborted":
      return new ServiceError("timeout", undefined, { cause });
    case "busy":
      return new ServiceError("rate-limited", "Too many contracts of this caller are running", {
        data: { retry_after: Math.ceil((cause.retryAfterMs ?? 0) / 1000) },
        cause,
      });
    case "unavailable":
      return new ServiceError("unavailable", "Too many contracts are running", { cause });
    case "invalid":
    case "too-large":
      return new ServiceError("liteserver-error", cause.message, { cause });
    case "crashed":
      return new ServiceError("internal", undefined, { cause });
  }
}

/** Arguments are checked when they are read, so only the result can have too many values or levels. */
function ofStack(cause: StackError): ServiceError {
  if (cause.code === "shown") return new ServiceError("stack-too-deep", undefined, { cause });
  return new ServiceError("liteserver-error", "TVM stack size exceeds limit", { cause });
}

function ofRun(cause: RunError): ServiceError {
  if (cause.kind === "too-deep") return new ServiceError("invalid-params", cause.message, { cause });
  if (cause.kind === "too-many-waiting")
    return new ServiceError("rate-limited", cause.message, { data: { retry_after: 1 }, cause });
  // TON Center answers 400 for a contract with too many libraries.
  const status = cause.kind === "too-many-libraries" ? { status: 400 } : {};
  return new ServiceError("liteserver-error", cause.message, { ...status, cause });
}
