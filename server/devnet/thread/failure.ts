import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { ExecutorError, type ExecutorErrorCode } from "../../chain/executor/executor-error.js";
import { DevnetError, type DevnetErrorKind } from "../devnet-error.js";

/** An error as a plain object: structured cloning between threads loses its class. */
export type Failure =
  | { type: "lite"; code: number; message: string }
  | { type: "refused"; kind: DevnetErrorKind; message: string }
  | { type: "executor"; code: ExecutorErrorCode; message: string }
  | { type: "other"; message: string };

/** Serializes an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof LiteError) return { type: "lite", code: error.code, message: error.message };
  if (error instanceof DevnetError) return { type: "refused", kind: error.kind, message: error.message };
  if (error instanceof ExecutorError) return { type: "executor", code: error.code, message: error.message };
  return { type: "other", message: textOf(error) };
}

/** Errors of the system, as of a full disk, are explained by their message; others need their stack. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error ? error.message : (error.stack ?? error.message);
}

/** Restores an error of the same class. */
export function errorOf(failure: Failure): Error {
  switch (failure.type) {
    case "lite":
      return new LiteError(failure.code, failure.message);
    case "refused":
      return new DevnetError(failure.kind, failure.message);
    case "executor":
      return new ExecutorError(failure.code, failure.message);
    case "other":
      return new Error(failure.message);
  }
}
