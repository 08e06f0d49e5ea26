/** Why metadata could not be fetched; a label of metrics. */
export const fetchFailures = [
  "url", // malformed, or of a scheme or port that is not fetched
  "address", // of a host that has an address which is not public
  "name", // of a host that has no address
  "connection",
  "timeout",
  "status",
  "redirects", // too many of them
  "headers", // too long, or not HTTP
  "size",
  "encoding",
  "json",
  "depth",
  "content", // JSON, but not of a token
] as const;
export type FetchFailure = (typeof fetchFailures)[number];

/** Failures that the next try would repeat. */
const final: readonly FetchFailure[] = ["url", "address"];

/** A fetch that failed. Neither the message nor `failure` has anything of the link or of the answer. */
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
}
