import { isLasting, type Outcome } from "../../rpc/dispatch.js";
import type { Exchange } from "../answers/exchange.js";
import { v4ErrorType, v4Failure, v4FailureAge, v4Status } from "../answers/v4-failures.js";

const year = "public, max-age=31536000";
/** How long proxies keep an answer that says that something is not there: it may be there soon. */
const soon = "public, max-age=5";
/** How long they keep the last block: networks make a block in less than a second. */
const latest = "public, must-revalidate, max-age=1";

/** Answers a call by REST: with the result as it is, or with the reference's text. `isKept`: proxies may keep answers. */
export function answerV4(exchange: Exchange, outcome: Outcome, isKept: boolean): void | Promise<void> {
  if (isKept) exchange.cacheControl = ageOf(outcome);
  return "error" in outcome
    ? exchange.send(v4Status(outcome.error), v4Failure(outcome.error), v4ErrorType)
    : exchange.send(200, outcome.json);
}

function ageOf(outcome: Outcome): string {
  if ("error" in outcome) return v4FailureAge(outcome.error);
  const kind = outcome.call?.freshness?.kind;
  if (kind === "head") return latest;
  if (kind !== "immutable") return "no-store";
  return isLasting(outcome) ? year : soon;
}
