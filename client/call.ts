/** One call on its way, however often it is tried and however many callers wait for it. */
export class Call {
  readonly method: string;
  /** The parameters as JSON, keys sorted. */
  readonly params: string;
  /** It changes something, so it must not happen twice. */
  readonly effect: boolean;
  /** When the last caller stops waiting, ms of the client's clock. */
  deadline = 0;
  /** Nobody waits any more. */
  abandoned = false;
  readonly #listeners: (() => void)[] = [];

  constructor(method: string, params: string, effect = false) {
    this.method = method;
    this.params = params;
    this.effect = effect;
  }

  whenAbandoned(listener: () => void): void {
    this.#listeners.push(listener);
  }

  abandon(): void {
    this.abandoned = true;
    for (const listener of this.#listeners) listener();
  }
}

/** Sending, and what turns the devnet's wheels. Names only: the client carries no list of methods. */
export function isEffect(method: string): boolean {
  return /^(send|v3\.message$|devnet\.(?!(info|transactionLog)$))/.test(method);
}

/** JSON with sorted keys, so that equal parameters are equal texts. */
export function canonicalJson(value: object): string {
  const members = Object.values(value);
  // One text, as most calls have, is sorted as it is.
  if (members.length < 2 && typeof members[0] === "string") return JSON.stringify(value);
  return JSON.stringify(value, (key, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : withoutBigint(key, each),
  );
}

/** For `JSON.stringify`: numbers that JSON cannot hold exactly travel as text. */
export function withoutBigint(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
