import { type Content, html, type Markup } from "../../pages/markup.js";

/** The thing that has some values, named so that it can be found on the chain without the service that named it. */
export type Subject =
  | readonly ["account", address: string, seqno: number, rootHash: string]
  /** `chained`: listed among the transactions of its account. */
  | readonly ["transaction", account: string, lt: string, hash: string, chained?: boolean]
  | readonly ["block", workchain: number, shard: string, seqno: number]
  | readonly ["shards", seqno: number]
  | readonly ["config", seqno: number];

/** Values by name, as the service gave them. */
export type ClaimedValues = Readonly<Record<string, string | number | boolean | null>>;

/** Content whose values `verify/` proves, and marks, when the user wants that. */
export function claim(subject: Subject, values: ClaimedValues, shown?: Content): Markup {
  return html`<span data-claim="${JSON.stringify([subject, values])}">${shown}</span>`;
}

/** Content with values of one subject. */
export type Own = (values: ClaimedValues, shown: Content) => Markup;
