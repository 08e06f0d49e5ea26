import type { LiteError } from "./lite-api.js";

/** Liteservers give the reason for rejecting a message only as text. */
const reasons = [
  ["duplicate message", "duplicate"],
  ["too many external messages to address", "too-many-pending"],
  ["failed to parse external message", "malformed"],
  ["Failed to unpack account state", "no-account"],
  ["External message was not accepted", "not-accepted"],
] as const;

export type RejectionReason = (typeof reasons)[number][1];

/** Why a liteserver rejected a message; `undefined` for other errors. */
export function rejectionReason({ message }: LiteError): RejectionReason | undefined {
  return reasons.find(([words]) => message.includes(words))?.[1];
}
