import { claimedText } from "../values/claimed-text.js";
import { hasSucceeded } from "../values/exit-codes/kinds.js";
import type { AnswerNames } from "./answer-names.js";
import { type Ended, exitMembers, gasText, placeOfExit } from "./failure.js";
import type { FailurePlace, Language } from "./language.js";
import { account, type Phrase } from "./phrase.js";
import { textOf } from "./phrase-text.js";
import { capitalised } from "./sentence.js";
import { fill, type Members } from "./template.js";

/** Why a message from outside was not received: the `data` of its error. */
export type Refusal = Ended & {
  readonly reason: string;
  /** The receiver's raw address, if it is known. */
  readonly account?: string | undefined;
  /** Present if nothing ran: `exit_name` says why. */
  readonly account_state?: string | undefined;
  readonly exit_code?: number | undefined;
  /** Gas of a contract before it accepts a message; only if it spent that. */
  readonly gas_credit?: number | undefined;
  /** What is wrong with a malformed message. */
  readonly why?: string | undefined;
  /** Seqnos of the message and of the wallet. */
  readonly seqno?: number | undefined;
  readonly next_seqno?: number | undefined;
  /** Unix times when the message expired, and of the chain; only if it did. */
  readonly valid_until?: number | undefined;
  readonly chain_time?: number | undefined;
  /** Hash of the library that is the contract's code, if the chain does not have it. */
  readonly library?: string | undefined;
};

/** A sentence, and advice if there is any. */
export type Explanation = { readonly sentence: string; readonly hint?: string };

/** Why a message was refused, and what can be done about it. */
export function describeRefusal(refusal: Refusal, names: AnswerNames, language: Language): Explanation {
  const place = placeOf(refusal);
  const members = membersOf(refusal, language);
  const what = { phrase: fill(language.failures[place], members, language) };
  const sentence = fill(language.failures.of, { account: members["account"], what }, language);
  const text = (phrase: Phrase) => textOf(phrase, names, language);
  const hint = text(fill(language.hints[place], members, language));
  return { sentence: `${text(capitalised(sentence, language))}.`, ...(hint && { hint }) };
}

const places: Readonly<Record<string, FailurePlace>> = {
  malformed: "refused.malformed",
  duplicate: "refused.duplicate",
  "too-many-pending": "refused.queue",
  "no-account": "refused.noAccount",
};

const placesWithoutRun: Readonly<Record<string, FailurePlace>> = {
  "no-account": "refused.noAccount",
  "no-code": "refused.noCode",
  "wrong-state-init": "refused.otherState",
  "not-enough-coins": "refused.coins",
};

const placesOfNames: Readonly<Record<string, FailurePlace>> = {
  "wrong-seqno": "refused.seqno",
  expired: "refused.expired",
  "bad-signature": "refused.key",
  "wrong-wallet-id": "refused.walletId",
  "unknown-operation": "refused.operation",
};

function placeOf(refusal: Refusal): FailurePlace {
  const { reason, account_state: state, exit_code: code, exit_name, seqno, next_seqno: next } = refusal;
  const name = exit_name ?? "";
  if (state !== undefined) return placesWithoutRun[name] ?? "unknown";
  if (code === undefined) return places[reason] ?? "unknown";
  if (refusal.library !== undefined) return "compute.library";
  if (hasSucceeded(code)) return "refused.ended";
  if (refusal.exit_source !== undefined) return placeOfExit(code, refusal);
  if (refusal.valid_until !== undefined && name.startsWith("expired")) return "refused.expired";
  if (name === "wrong-seqno" && seqno !== undefined && next !== undefined && seqno > next)
    return "refused.ahead";
  // An order that could be read and has not expired is signed by another key.
  if (name === "expired-or-bad-signature") return seqno === undefined ? "refused.wallet" : "refused.key";
  const place = placesOfNames[name] ?? placeOfExit(code, refusal);
  return place === "compute.gas" ? "refused.gas" : place;
}

/** Limit on what is wrong with a malformed message. */
const maxWhy = 200;

function membersOf(refusal: Refusal, language: Language): Members {
  const { account: receiver, account_state: state, valid_until: until, chain_time: now } = refusal;
  return {
    ...exitMembers(refusal.exit_code ?? null, refusal),
    account: receiver === undefined ? undefined : account(receiver, "receiver"),
    state: state === "frozen" && { word: state },
    gas: gasText(refusal.gas_credit, language),
    library: refusal.library,
    operations: refusal.operations,
    why: refusal.why === undefined ? undefined : { phrase: [claimedText(refusal.why, maxWhy)] },
    seqno: refusal.seqno,
    next: refusal.next_seqno,
    until: until === undefined ? undefined : { kind: "time", utime: until },
    late: until === undefined || now === undefined ? undefined : now - until,
  };
}
