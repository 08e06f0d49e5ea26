import { type AnyDefinition, isForOwner, type Verb } from "../../../shared/methods/define.js";
import type { ErrorCode } from "../../../shared/rpc/errors.js";

const anyCall: readonly ErrorCode[] = [
  "too-large",
  "invalid-params",
  "unknown-key",
  "wrong-network",
  "rate-limited",
  "quota-exceeded",
  "timeout",
  "unavailable",
  "internal",
];

const anyBody: readonly ErrorCode[] = ["parse-error", "wrong-media-type"];

const control = (definition: AnyDefinition): readonly ErrorCode[] =>
  isForOwner(definition) ? ["forbidden"] : [];

/** Error codes of a method, in the order in which a request can meet them. */
export function failuresOf(definition: AnyDefinition, verb: Verb): ErrorCode[] {
  return [...commonFailures(verb), ...ownFailures(definition, verb)];
}

/** Error codes of every method. */
export function commonFailures(verb: Verb): readonly ErrorCode[] {
  return [...(verb === "POST" ? anyBody : []), ...anyCall];
}

/** Error codes of a method in addition to the common ones. */
export function ownFailures(definition: AnyDefinition, verb: Verb): ErrorCode[] {
  const common = commonFailures(verb);
  const own = new Set([...control(definition), ...(definition.errors ?? [])]);
  return [...own].filter((code) => !common.includes(code));
}
