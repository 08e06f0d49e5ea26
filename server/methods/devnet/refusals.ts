import type { ErrorCode } from "../../../shared/rpc/errors.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { DevnetError, type DevnetErrorKind } from "../../devnet/devnet-error.js";
import { ServiceError } from "../../errors.js";
import { serviceErrorOf } from "../chain-errors.js";

const codes: Readonly<Record<DevnetErrorKind, ErrorCode>> = {
  "not-found": "absent",
  conflict: "conflict",
  invalid: "invalid-params",
  unavailable: "unavailable",
};

/** Errors of the devnet as errors of the service; other errors unchanged. */
export function devnetErrorOf(error: unknown): unknown {
  if (error instanceof DevnetError) return new ServiceError(codes[error.kind], error.message);
  // The faucet sends messages like any other sender, so the mempool may be full or the devnet closing.
  if (error instanceof LiteError) return new ServiceError("unavailable", error.message);
  return serviceErrorOf(error);
}
