import { ServiceError } from "../errors.js";
import { chainErrorOf } from "./v2/lite-errors.js";

export type ChainState = {
  /** While it returns a reason, methods that use the chain answer `unavailable` with it. */
  chainUnavailableReason(): string | undefined;
};

/** Rules of groups that use the chain, for `implement`. */
export function chainRules({ chainUnavailableReason }: ChainState) {
  const refusal = () => {
    const reason = chainUnavailableReason();
    return reason === undefined ? undefined : new ServiceError("unavailable", reason);
  };
  return { refusal, errorOf: chainErrorOf };
}
