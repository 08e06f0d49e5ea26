import { mapHandlers } from "../../shared/methods/define.js";
import { liteMethods } from "../../shared/methods/lite.js";
import { implement } from "../rpc/bind.js";
import { refuseWhile } from "./handler-wraps.js";
import { type LiteDeps, liteHandlers } from "./lite/query.js";

/** The methods `lite.*`. While `chainUnavailableReason` returns a reason, they answer `unavailable` with it. */
export function liteImplementations(deps: LiteDeps & { chainUnavailableReason(): string | undefined }) {
  return mapHandlers(implement(liteMethods, liteHandlers, deps), refuseWhile(deps.chainUnavailableReason));
}
