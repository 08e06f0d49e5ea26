/**
 * Classes whose errors stay of their class on the other end, by a name that both ends know. Their members are plain values,
 * and none is private.
 */
export type ErrorClasses = { readonly [name: string]: new (...args: never[]) => Error };

/** An error as a plain object: a structured clone loses its class and most of its members. */
export type Failure = {
  type: string | undefined;
  name: string;
  message: string;
  stack: string | undefined;
  cause: Failure | undefined;
  members: Record<string, unknown>;
};

const builtIn: ErrorClasses = { TypeError, RangeError, ReferenceError, SyntaxError };

/** Serializes an error. */
export function failureOf(error: unknown, classes: ErrorClasses = {}): Failure {
  if (!(error instanceof Error)) return failureOf(new Error(String(error)));
  const { name, message, stack, cause } = error;
  return {
    type: nameOf(error, classes) ?? nameOf(error, builtIn),
    ...{ name, message },
    stack,
    cause: cause instanceof Error ? failureOf(cause, classes) : undefined,
    members: Object.fromEntries(Object.entries(error).filter(([, value]) => isCloneable(value))),
  };
}

/** Restores an error: of the same class, or of the parent of it that both ends know, otherwise as an Error. */
export function errorOf(
  { type, name, message, stack, cause, members }: Failure,
  classes: ErrorClasses = {},
): Error {
  const error = new Error(message, cause && { cause: errorOf(cause, classes) });
  const known = type === undefined ? undefined : (classes[type] ?? builtIn[type]);
  if (known) Object.setPrototypeOf(error, known.prototype);
  else if (name !== error.name) error.name = name;
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, members);
}

function nameOf(error: Error, classes: ErrorClasses): string | undefined {
  return Object.keys(classes).find((name) => error instanceof classes[name]!);
}

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    // Functions and the like.
    return false;
  }
}
