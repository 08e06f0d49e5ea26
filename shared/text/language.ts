import type { ActionType } from "../schema/v3/actions.js";
import type { MessageStatus } from "../schema/v3/message-status.js";

type Status = MessageStatus["status"];
type Reasons = {
  [Name in "expired" | "unknown"]: Extract<MessageStatus, { status: Name }>["reason"];
};

/** Statuses, with their reason if they have one, or as those of a message that led to a failure. */
export type StatusKey =
  | Exclude<Status, keyof Reasons>
  | `${"pending" | "included" | "completed"}.failed`
  | { [Name in keyof Reasons]: `${Name}.${Reasons[Name]}` }[keyof Reasons];

/** How a transaction failed. */
export type FailureKind = "ran" | "skipped" | "storage" | "credit" | "leftOut" | "unknown";

export type TitleKey = ActionType | `message.${Status}`;

/** Templates that all others use, and parts of sentences. */
export type Words = {
  readonly unknownAccount: string;
  /** An amount that is not known of a `token`. */
  readonly unknownAmount: string;
  readonly unknownJetton: string;
  /** The smallest `units` of a `token` without known decimals, after their number. */
  readonly unitsOf: string;
  /** An amount as it is `shown`, with its token, of a jetton whose amounts are multiplied, and the number `onChain`. */
  readonly multiplied: string;
  /** An action of an unknown `type`: `from`, `to`, number of `transactions`. */
  readonly anyAction: string;
  /** A call that is a bounced message. */
  readonly returned: string;
  /** A failed action: its `sentence`, and the `reason` if that is known. */
  readonly failed: string;
  /** An exit `code` with its `meaning`. */
  readonly exit: string;
  /** Between the entries of a list, and before the last one. */
  readonly comma: string;
  readonly and: string;
  /** The rest of a list: its `count`. */
  readonly more: string;
  /** Before and after text of a user. */
  readonly quotes: readonly [string, string];
  /** Kinds of domain records, phases, and reasons why a contract was not run. */
  readonly names: Readonly<Record<string, string>>;
};

/**
 * Everything that a text takes from a language. Templates have the notation of `template.ts`; a translation may order
 * and omit their names as it likes.
 */
export type Language = ActionLanguage & {
  readonly statuses: Readonly<Record<StatusKey, string>>;
  readonly failures: Readonly<Record<FailureKind, string>>;
  readonly titles: Readonly<Record<TitleKey, string>>;
};

/** The part that sentences about actions need, for pages. */
export type ActionLanguage = {
  /** Locale of its numbers and plural forms, such as `en`. */
  readonly locale: string;
  readonly sentences: Readonly<Record<ActionType, string>>;
  readonly words: Words;
};
