import { configWith } from "../../../server/config/settings.js";
import { AnswerBudget, type AnswerLimits } from "../../../server/rpc/answers/answer-budget.js";

/** The budget of a service with default settings, with `limits` applied. */
export function budgetWith(limits: Partial<AnswerLimits> = {}): AnswerBudget {
  const { maxAnswerBytes, maxUnreadBytes, maxTotalUnreadBytes, callTimeoutMs } = configWith();
  return new AnswerBudget({
    maxAnswerBytes,
    maxCallerBytes: maxUnreadBytes,
    maxTotalBytes: maxTotalUnreadBytes,
    waitMs: callTimeoutMs,
    ...limits,
  });
}
