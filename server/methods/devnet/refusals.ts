import type { FlatDefinitions, Handlers } from "../../../shared/methods/define.js";
import type { ErrorCode } from "../../../shared/rpc/errors.js";
import { LiteError } from "../../chain/lite-api.js";
import { Refused, type RefusedKind } from "../../devnet/refused.js";
import { ServiceError } from "../../errors.js";
import { mapHandlerErrors } from "../map-handlers.js";

const codes: Readonly<Record<RefusedKind, ErrorCode>> = {
  "not-found": "absent",
  conflict: "conflict",
  invalid: "invalid-params",
  unavailable: "unavailable",
};

/** Handlers whose refusals by the devnet become errors of the service. */
export function explainingRefusals<Group extends FlatDefinitions, Deps>(
  handlers: Handlers<Group, Deps>,
): Handlers<Group, Deps> {
  return mapHandlerErrors(handlers, (error) => {
    if (error instanceof Refused) return new ServiceError(codes[error.kind], error.message);
    // The faucet's orders are messages like any other: the mempool may be full, or the devnet about to end.
    if (error instanceof LiteError) return new ServiceError("unavailable", error.message);
    return error;
  });
}
