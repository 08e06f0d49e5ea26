import { lazy } from "../lazy.js";
import { type ExitMeaning, meaningsIn } from "./meanings.js";

/** The meaning of a result code of the action phase. */
export function explainActionCode(code: number): ExitMeaning | undefined {
  return meanings().get(code);
}

const actionCodes = `
0 success
32 invalid-action-list
33 too-many-actions
34 invalid-or-unsupported-action
35 message-has-invalid-source
36 message-has-invalid-destination
37 not-enough-coins There are not enough coins for a message.
38 not-enough-extra-currency
39 message-exceeds-cell
40 message-too-large A message is too large, or there are not enough coins for its fees.
41 library-not-found
42 library-not-changed
43 library-too-large A library is too large, or there are too many.
44 too-many-extra-currencies
45 message-has-invalid-flags
46 library-change-not-allowed
47 messages-too-large-together
50 account-state-too-large`;

const meanings = lazy(() => meaningsIn(actionCodes));
