import type { MessageStatus, TraceFailure } from "../../shared/schema/v3/message-status.js";
import { AnswerNames, type Extras, type KnownAccounts } from "../../shared/text/answer-names.js";
import { describeAction, describeStatus, hintOf } from "../../shared/text/describe.js";
import { english } from "../../shared/text/english/english.js";
import { knownAccounts } from "../../shared/text/known-accounts.js";
import type { Language } from "../../shared/text/language.js";
import type { Described } from "../../shared/text/preview.js";
import type { SpokenAction } from "../../shared/text/sentence.js";
import { coinName } from "../../shared/values/coin.js";

/** The sources of names, and the language. `address_book` and `metadata` are members of an answer. */
export type TextOptions = Extras & {
  /** Accounts that the application knows by name. Default: the network's own contracts. */
  readonly known?: KnownAccounts | undefined;
  /** The network, which has a name for its coin. Default: `testnet`, whose coin is TON. */
  readonly network?: string | undefined;
  /** Default: English. */
  readonly language?: Language | undefined;
};

/** An action as it comes in answers; with `failure`, if it has one, its text says why the action failed. */
type AnsweredAction = SpokenAction & { readonly failure?: TraceFailure | null | undefined };

/** A sentence about an action, and its parts: what `include_text` adds, in any language. */
export function actionText(action: AnsweredAction, options: TextOptions = {}): Described {
  return describeAction(action, action.failure ?? null, namesOf(options), options.language ?? english);
}

/** A sentence about the status of a message, and its parts. */
export function messageText(status: MessageStatus, options: TextOptions = {}): Described {
  return describeStatus(status, namesOf(options), options.language ?? english);
}

/** The advice on a failure, its `hint`, in any language. */
export function failureHint(failure: TraceFailure, options: TextOptions = {}): string | undefined {
  return hintOf(failure, namesOf(options), options.language ?? english) || undefined;
}

function namesOf({ known = knownAccounts(), network = "testnet", address_book, metadata }: TextOptions) {
  return new AnswerNames({ address_book, metadata }, { known, coin: coinName(network) });
}
