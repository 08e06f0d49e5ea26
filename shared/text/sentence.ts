import type { Action, ActionType } from "../schema/v3/actions.js";
import type { ActionLanguage } from "./language.js";
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

/** A sentence that describes an action. Failed actions are marked as failed, with the reason if it is given. */
export function sentenceOf(action: SpokenAction, language: ActionLanguage, reason?: Phrase): Phrase {
  const phrase = phraseOf(action, language) ?? generic(action, language);
  if (action.success !== false) return capitalised(phrase, language);
  const members = { sentence: { phrase }, reason: reason && { phrase: reason } };
  return fill(language.words.failed, members, language);
}

export function capitalised([first = "", ...rest]: Phrase, { locale }: ActionLanguage): Phrase {
  return typeof first === "string"
    ? [first.charAt(0).toLocaleUpperCase(locale) + first.slice(1), ...rest]
    : [first, ...rest];
}

/** The phrase of the action's type; `undefined` if the type or its details are of another version. */
function phraseOf({ type, details, abi }: SpokenAction, language: ActionLanguage): Phrase | undefined {
  if (!Object.hasOwn(language.sentences, type)) return undefined;
  const known = type as ActionType;
  // By the opcode alone an ABI is a guess, which is no fact to be told.
  const call = known === "call_contract" && abi && abi.by !== "opcode" ? abi : undefined;
  try {
    const template = call ? language.words.called : templateOf(known, details, language);
    return fill(template, { ...membersOf(known, details), ...(call && membersOfCall(call)) }, language);
  } catch {
    // Details of another version of the service.
    return undefined;
  }
}

function templateOf(type: ActionType, details: object, { sentences, words }: ActionLanguage): string {
  const { is_purchase, opcode } = details as { is_purchase?: unknown; opcode?: unknown };
  if (type === "nft_transfer" && is_purchase === true) return sentences.nft_purchase;
  return type === "call_contract" && bouncedOpcodes.includes(String(opcode))
    ? words.returned
    : sentences[type];
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
