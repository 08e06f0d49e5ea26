import type { TraceFailure } from "../schema/v3/message-status.js";
import { asClause } from "../values/exit-codes/explain.js";
import type { FailureKind, Language } from "./language.js";
import { account, type Phrase } from "./phrase.js";
import { type Exit, fill } from "./template.js";

/** Why a transaction failed, without the mark of the end of a sentence. */
export function failurePhrase(failure: TraceFailure, language: Language): Phrase {
  const { phase, exit_code: code, exit_meaning: meaning, skipped_reason: reason } = failure;
  const exit: Exit | undefined =
    code === null
      ? undefined
      : { exit: code, meaning: meaning === null ? undefined : asClause({ text: meaning }) };
  const members = {
    account: account(failure.account, "failed"),
    phase: { word: phase },
    exit,
    reason: reason && { word: reason },
    actions: failure.skipped_actions,
  };
  return fill(language.failures[kindOf(failure)], members, language);
}

function kindOf({ phase, exit_code, skipped_reason, skipped_actions }: TraceFailure): FailureKind {
  if (phase === "storage" || phase === "credit") return phase;
  if (skipped_reason !== null) return "skipped";
  if (skipped_actions > 0 && !exit_code) return "leftOut";
  return exit_code === null ? "unknown" : "ran";
}
