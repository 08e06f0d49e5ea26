import type { TraceFailure } from "../../../../client/api.js";
import { describeFailure } from "../../../../shared/text/describe.js";
import { englishActions } from "../../../../shared/text/english/english.js";
import { failures } from "../../../../shared/text/english/failures.js";
import { hints } from "../../../../shared/text/english/hints.js";
import type { AnswerNames } from "../actions/answer-names.js";

/** Loaded when it is asked for: other texts of views do without these. */
export function failureWords(failure: TraceFailure, names: AnswerNames): string {
  return describeFailure(failure, names, { ...englishActions, failures, hints });
}
