/** Where a subscription begins: behind a cursor, or with the first masterchain block at or after a place. */
export type SubscriptionStart =
  | string
  | { readonly mc_seqno: number }
  | { readonly lt: string | number }
  | { readonly utime: number };
