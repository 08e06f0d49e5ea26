import { ServiceError } from "../../errors.js";
import { ExecutorError } from "../executor/executor-error.js";
import { StackError } from "../executor/stack.js";

/** Answers of the executor, whose failures callers are told in the words of the service. */
export async function answerOf<T>(run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (cause) {
    if (cause instanceof StackError) throw beyondLimits(cause);
    throw cause instanceof ExecutorError ? explain(cause) : cause;
  }
}

/** Arguments were checked before, so it is the result that is too large. */
function beyondLimits(cause: StackError): ServiceError {
  if (cause.code === "depth") return new ServiceError("stack-too-deep", undefined, { cause });
  return new ServiceError("liteserver-error", "TVM stack size exceeds limit", { cause });
}

function explain(cause: ExecutorError): ServiceError {
  switch (cause.code) {
    case "timeout":
    case "aborted":
      return new ServiceError("timeout", undefined, { cause });
    case "unavailable":
      return new ServiceError("unavailable", "Too many contracts are running", { cause });
    case "invalid":
      return new ServiceError("liteserver-error", cause.message, { cause });
    case "crashed":
      return new ServiceError("internal", undefined, { cause });
  }
}
