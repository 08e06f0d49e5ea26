import type { ActionType } from "../schema/v3/actions.js";
import type { MessageStatus, TraceFailure } from "../schema/v3/message-status.js";

type Status = MessageStatus["status"];
type Reasons = {
  [Name in "expired" | "unknown"]: Extract<MessageStatus, { status: Name }>["reason"];
};

/** Statuses, with their reason if they have one, or as those of a message that led to a failure. */
export type StatusKey =
  | Exclude<Status, keyof Reasons>
  | `${"pending" | "included" | "completed"}.failed`
  | { [Name in keyof Reasons]: `${Name}.${Reasons[Name]}` }[keyof Reasons];

type SkipReason = NonNullable<TraceFailure["skipped_reason"]>;

/** Where and why a transaction failed (with `refused`: why a message from outside was not received). */
export type FailurePlace =
  | "storage"
  | "credit"
  | `skipped.${SkipReason}`
  | `compute.${"threw" | "named" | "operation" | "gas" | "library"}`
  | `action.${"list" | "funds" | "currency" | "size" | "other" | "leftOut"}`
  | `refused.${"malformed" | "duplicate" | "queue" | "noAccount" | "noCode" | "otherState" | "coins"}`
  | `refused.${"seqno" | "ahead" | "expired" | "key" | "walletId" | "wallet" | "operation" | "ended" | "gas"}`
  | "unknown";

/** Predicates by place, and the sentences that have one as `what`: of an `account`, and of one that a `source` asked. */
export type FailureKey = FailurePlace | "of" | "asked";

/**
 * Advice by place, empty if there is none; in its stead if an amount was tried: `tried` for the value of the message,
 * `toppedUp` for the account's own balance; and what became of the value of a message that failed.
 */
export type HintKey = FailurePlace | "tried" | "toppedUp" | "returned" | "notReturned";

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
  /** A call whose `message` and first `fields` the contract's ABI names. */
  readonly called: string;
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
  /** Kinds of domain records, and what an account becomes for its debt. */
  readonly names: Readonly<Record<string, string>>;
};

/**
 * Everything that a text takes from a language. Templates have the notation of `template.ts`; a translation may order
 * and omit their names as it likes.
 */
export type Language = ActionLanguage & {
  readonly statuses: Readonly<Record<StatusKey, string>>;
  readonly failures: Readonly<Record<FailureKey, string>>;
  readonly hints: Readonly<Record<HintKey, string>>;
  readonly titles: Readonly<Record<TitleKey, string>>;
};

/** The part that sentences about failures need. */
export type FailureLanguage = ActionLanguage & Pick<Language, "failures" | "hints">;

/** The part that sentences about actions need, for pages. */
export type ActionLanguage = {
  /** Locale of its numbers and plural forms, such as `en`. */
  readonly locale: string;
  readonly sentences: Readonly<Record<ActionType, string>>;
  readonly words: Words;
};
