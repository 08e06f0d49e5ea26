import { type Definitions, type Handlers, mapHandlers } from "../../../shared/methods/define.js";
import type { ErrorCode } from "../../../shared/rpc/errors.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { DevnetError, type DevnetErrorKind } from "../../devnet/devnet-error.js";
import { ServiceError } from "../../errors.js";
import { serviceErrorOf } from "../chain-errors.js";
import { mapErrors } from "../handler-wraps.js";

const codes: Readonly<Record<DevnetErrorKind, ErrorCode>> = {
  "not-found": "absent",
  conflict: "conflict",
  invalid: "invalid-params",
  unavailable: "unavailable",
};

/** Handlers with errors of the devnet mapped to errors of the service. */
export function mapRefusals<Group extends Definitions, Deps>(
  handlers: Handlers<Group, Deps, "text">,
): Handlers<Group, Deps, "text"> {
  return mapHandlers(handlers, mapErrors(devnetErrorOf));
}

function devnetErrorOf(error: unknown): unknown {
  if (error instanceof DevnetError) return new ServiceError(codes[error.kind], error.message);
  // The faucet sends messages like any other sender, so the mempool may be full or the devnet closing.
  if (error instanceof LiteError) return new ServiceError("unavailable", error.message);
  return serviceErrorOf(error);
}
