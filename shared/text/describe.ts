import type { MessageStatus, TraceFailure } from "../schema/v3/message-status.js";
import type { AnswerNames } from "./answer-names.js";
import { askedFailurePhrase, failureHint } from "./failure.js";
import type { FailureLanguage, Language } from "./language.js";
import { statusPhrase } from "./message-status.js";
import { textOf } from "./phrase-text.js";
import { type Described, described } from "./preview.js";
import { capitalised, type SpokenAction, sentenceWithReason } from "./sentence.js";

/** Describes an action; `failure` is the transaction because of which it failed, if that is known. */
export function describeAction(
  action: SpokenAction,
  failure: TraceFailure | null,
  names: AnswerNames,
  language: Language,
): Described {
  return described(action.type, sentenceWithReason(action, failure, language), names, language);
}

/** Describes the status of a message. */
export function describeStatus(status: MessageStatus, names: AnswerNames, language: Language): Described {
  return described(`message.${status.status}`, statusPhrase(status, language), names, language);
}

/** A failed transaction in sentences: who had asked whom and what failed, and the advice. */
export function describeFailure(
  failure: TraceFailure,
  names: AnswerNames,
  language: FailureLanguage,
): string {
  const sentence = capitalised(askedFailurePhrase(failure, language), language);
  const hint = hintOf(failure, names, language);
  return `${textOf(sentence, names, language)}.${hint && ` ${hint}`}`;
}

/** Advice on a failure; empty if there is none. */
export function hintOf(failure: TraceFailure, names: AnswerNames, language: FailureLanguage): string {
  return textOf(failureHint(failure, language), names, language);
}
