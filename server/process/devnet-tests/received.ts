import { type DevnetAction, DevnetSendError, type DevnetTransaction } from "./trace.js";

/** What matchers look at. */
type Received = {
  readonly transactions: readonly DevnetTransaction[];
  readonly actions: readonly DevnetAction[];
  readonly text: string;
};

const sources =
  "what sends of devnet.sender() and devnet.open() give, what they reject with, and devnet.trace()";

/** Reads the value of `expect(value)`: a trace, the list of its transactions, or the error of a send that failed. */
export function receivedTrace(matcher: string, value: unknown): Received {
  if (value instanceof Promise) throw new TypeError(`${matcher} takes the result of a send: await it`);
  const trace = isSendError(value) ? value.trace : value;
  if (isTrace(trace)) return trace;
  if (Array.isArray(trace) && trace.every(isTransaction))
    return { transactions: trace, actions: [], text: `${trace.length} transactions, without their trace` };
  if (isSendError(value)) return { transactions: [], actions: [], text: value.message };
  throw new TypeError(`${matcher} takes ${sources}`);
}

// Copies of a package have classes of their own.
export function isSendError(value: unknown): value is DevnetSendError {
  return value instanceof DevnetSendError || (value instanceof Error && value.name === "DevnetSendError");
}

function isTrace(value: unknown): value is Received {
  if (typeof value !== "object" || value === null) return false;
  return (
    "transactions" in value && "actions" in value && "text" in value && Array.isArray(value.transactions)
  );
}

function isTransaction(value: unknown): value is DevnetTransaction {
  return typeof value === "object" && value !== null && "balanceChange" in value;
}
