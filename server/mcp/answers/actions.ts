import { utcText } from "../../../shared/values/utc-text.js";

type Members = Readonly<Record<string, unknown>>;

/** Time of an answer, for models, which are bad at unix times. */
export function isoTime(seconds: unknown): string | undefined {
  const isTime = typeof seconds === "number" && seconds >= 0 && seconds < 2 ** 32;
  return isTime ? utcText(seconds) : undefined;
}

/** An action as a row: what happened, whether it succeeded, and where to look further. */
export function actionRow(action: Members): Members {
  const {
    type,
    success,
    end_utime: end,
    details,
    trace_id: trace,
    action_id: id,
    transactions,
    text,
    abi,
  } = action;
  return {
    time: isoTime(end),
    ...(text !== undefined && { text }),
    type,
    success,
    details: withoutNulls(details),
    ...(abi !== undefined && abi !== null && { by_abi: abi }),
    trace_id: trace,
    action_id: id,
    ...(Array.isArray(transactions) && { transactions: transactions.length }),
  };
}

/** A copy of a record without members that say nothing. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null && !isEmpty(member)),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
