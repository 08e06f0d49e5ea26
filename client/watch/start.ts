/** Start of a subscription: behind a cursor, or with the first masterchain block at or after a place. */
export type SubscriptionStart = string | StartAtBlock | StartAtLt | StartAtUtime;

/** A masterchain block. */
export type StartAtBlock = {
  /** Its seqno. */
  readonly mc_seqno: number;
};

/** A logical time. */
export type StartAtLt = {
  /** The logical time. */
  readonly lt: string | number;
};

/** A time. */
export type StartAtUtime = {
  /** Unix time in seconds. */
  readonly utime: number;
};
