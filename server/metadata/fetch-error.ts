/** Reasons why metadata could not be fetched; used as a metric label. */
const fetchFailures = [
  "url", // malformed, or a scheme or port that is not allowed
  "address", // the host has an address that is not public
  "name", // the host has no address
  "connection",
  "timeout",
  "status",
  "redirects", // too many redirects
  "headers", // too long, or not HTTP
  "size",
  "encoding",
  "json",
  "depth",
  "content", // JSON, but no token metadata
] as const;
export type FetchFailure = (typeof fetchFailures)[number];

/** Failures that a retry would repeat. */
const final: readonly FetchFailure[] = ["url", "address"];

/** Failures that end by themselves. */
const passing: readonly FetchFailure[] = ["name", "connection", "timeout"];

/** A failed fetch. Neither the message nor `failure` contains any part of the link or of the answer. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure, cause?: unknown) {
    super(`metadata cannot be fetched: ${failure}`, cause === undefined ? {} : { cause });
    this.failure = failure;
  }

  get isFinal(): boolean {
    return final.includes(this.failure);
  }

  get isPassing(): boolean {
    return passing.includes(this.failure);
  }
}
