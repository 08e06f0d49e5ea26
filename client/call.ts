/** One call in flight. Retries and callers that share it use the same object. */
export class Call {
  /** Name of the method. */
  declare readonly method: string;
  /** The parameters as JSON, keys sorted. */
  declare readonly params: string;
  /** The call has side effects, so it must not be executed twice. */
  declare readonly effect: boolean;
  /** Latest deadline of all waiting callers, in ms of the client's clock. */
  deadline = 0;
  /** No caller waits any more: the transport should drop the call. */
  abandoned = false;
  readonly #listeners: (() => void)[] = [];

  constructor(method: string, params: string, effect = false) {
    this.method = method;
    this.params = params;
    this.effect = effect;
  }

  /** Adds a listener that runs when the last caller has left. */
  whenAbandoned(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Called when no caller waits any more. */
  abandon(): void {
    this.abandoned = true;
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Whether a method has side effects: sending messages, changes of webhooks and artifacts, and `devnet.*` methods that change the chain.
 * Decided by name patterns, because the client carries no method list.
 */
export function isEffect(method: string): boolean {
  // The dots of names need no escapes: no other character is there.
  return /^(v4.s|send|\w*subs|v3.(message$|webhooks.(?!l|deliv)|debug.artifacts.(?!l))|devnet.(?!info|el|tr|ex|me|ca|sett|snapshots))/.test(
    method,
  );
}

/** JSON with sorted keys, so that equal parameters give equal text. */
export function canonicalJson(value: object): string {
  const members = Object.values(value);
  // Fast path: a single string parameter, as in most calls, needs no sorting.
  if (members.length < 2 && typeof members[0] === "string") return JSON.stringify(value);
  return JSON.stringify(value, (key, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : withoutBigint(key, each),
  );
}

/** Replacer for `JSON.stringify`: bigint values become strings. */
export function withoutBigint(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
