import type { Action, ActionType } from "../schema/v3/actions.js";
import type { TraceFailure } from "../schema/v3/message-status.js";
import { failurePhrase } from "./failure.js";
import type { ActionLanguage, FailureLanguage } from "./language.js";
import { membersOf, membersOfCall } from "./members.js";
import type { Phrase } from "./phrase.js";
import { fill, rawAddress } from "./template.js";

/** The parts of an action that its sentence needs. The type may be unknown to this version. */
export type SpokenAction = Pick<Action, "success" | "transactions" | "abi"> & {
  readonly type: string;
  readonly details: object;
};

/** The first bits of a bounced message's body, in the format that every contract knows and in the newer one. */
const bouncedOpcodes = ["0xffffffff", "0xfffffffe"];

/** Whether an action is a message that a contract returned. */
export function isReturn({ type, details }: Pick<SpokenAction, "type" | "details">): boolean {
  const { opcode } = details as { opcode?: unknown };
  return type === "call_contract" && bouncedOpcodes.includes(String(opcode));
}

/** A sentence that describes an action. Failed actions are marked as failed. */
export function sentenceOf(action: SpokenAction, language: ActionLanguage): Phrase {
  const phrase = phraseOf(action, language);
  return action.success === false
    ? fill(language.words.failed, { sentence: { phrase } }, language)
    : capitalised(phrase, language);
}

/** The same with the reason of a failed action: `failure` is the transaction because of which it failed, if that is known. */
export function sentenceWithReason(
  action: SpokenAction,
  failure: TraceFailure | null | undefined,
  language: FailureLanguage,
): Phrase {
  if (!failure || action.success !== false) return sentenceOf(action, language);
  const sentence = { phrase: phraseOf(action, language, requestOf(action, failure)) };
  const reason = { phrase: failurePhrase(failure, language) };
  return fill(language.words.failed, { sentence, reason }, language);
}

/** The operation that a call asked for, if the transaction that failed is the one that received it. */
function requestOf({ type, details }: SpokenAction, failure: TraceFailure): string | undefined {
  const { opcode, destination } = details as { opcode?: unknown; destination?: unknown };
  const isReceived = failure.opcode === opcode && failure.account === destination;
  return type === "call_contract" && isReceived ? failure.operation?.replaceAll("_", " ") : undefined;
}

export function capitalised([first = "", ...rest]: Phrase, { locale }: ActionLanguage): Phrase {
  return typeof first === "string"
    ? [first.charAt(0).toLocaleUpperCase(locale) + first.slice(1), ...rest]
    : [first, ...rest];
}

/** The phrase of the action's type, or the general one if the type or its details are of another version. */
function phraseOf(action: SpokenAction, language: ActionLanguage, request?: string): Phrase {
  const { type, details, abi } = action;
  if (!Object.hasOwn(language.sentences, type)) return generic(action, language);
  const known = type as ActionType;
  // By the opcode alone an ABI is a guess, which is no fact to be told.
  const byAbi = known === "call_contract" && abi && abi.by !== "opcode" ? membersOfCall(abi) : undefined;
  const call = byAbi ?? (request === undefined ? undefined : { message: request });
  try {
    const template = call ? language.words.called : templateOf(known, details, language);
    return fill(template, { ...membersOf(known, details), ...call }, language);
  } catch {
    // Details of another version of the service.
    return generic(action, language);
  }
}

function templateOf(type: ActionType, details: object, { sentences, words }: ActionLanguage): string {
  const { is_purchase } = details as { is_purchase?: unknown };
  if (type === "nft_transfer" && is_purchase === true) return sentences.nft_purchase;
  return isReturn({ type, details }) ? words.returned : sentences[type];
}

/** The fallback for any action: its type, known participants and size. */
function generic({ type, details, transactions }: SpokenAction, language: ActionLanguage): Phrase {
  const members = details as Readonly<Record<string, unknown>>;
  const first = (...names: readonly string[]) =>
    names.map((name) => members[name]).find((value) => typeof value === "string" && rawAddress.test(value));
  return fill(
    language.words.anyAction,
    {
      type: type.replaceAll("_", " "),
      from: first("source", "sender", "owner"),
      to: first("destination", "receiver", "recipient"),
      transactions: transactions.length,
    },
    language,
  );
}
