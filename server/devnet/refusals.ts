import type { FlatDefinitions, Handlers } from "../../shared/methods/define.js";
import type { ErrorCode } from "../../shared/rpc/errors.js";
import { Refused, type RefusedKind } from "../chain/devnet/refused.js";
import { ServiceError } from "../errors.js";

const codes: Readonly<Record<RefusedKind, ErrorCode>> = {
  "not-found": "absent",
  conflict: "conflict",
  invalid: "invalid-params",
};

/** Handlers whose refusals by the devnet become errors of the service. */
export function explainingRefusals<Group extends FlatDefinitions, Deps>(
  handlers: Handlers<Group, Deps>,
): Handlers<Group, Deps> {
  const explaining = Object.entries<Handlers<FlatDefinitions, Deps>[string]>(handlers).map(
    ([name, handle]) => [
      name,
      async (...args: Parameters<typeof handle>) => {
        try {
          return await handle(...args);
        } catch (error) {
          throw error instanceof Refused ? new ServiceError(codes[error.kind], error.message) : error;
        }
      },
    ],
  );
  // The same names with functions of the same types, which the compiler cannot see through the entries.
  return Object.fromEntries(explaining) as unknown as Handlers<Group, Deps>;
}
