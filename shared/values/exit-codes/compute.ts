import { lazy } from "../lazy.js";
import { type ExitMeaning, meaningsIn } from "./meanings.js";

/** The meaning of an exit code of the virtual machine, for any contract. */
export function explainComputeCode(code: number): ExitMeaning | undefined {
  return meanings().get(code);
}

/** -13 is for get-methods; -14 means that the gas did not even suffice to push the code. */
const computeCodes = `
0 success
1 alternative-success
2 stack-underflow
3 stack-overflow
4 integer-overflow An integer did not fit into 257 bits, or was divided by zero.
5 integer-out-of-range
6 invalid-opcode
7 type-mismatch
8 cell-overflow
9 cell-underflow
10 dictionary-error
11 unknown-error The contract has no such method, or failed for a reason of its own.
12 fatal-error
13 out-of-gas
-14 out-of-gas
14 virtualization-error
-13 no-code The account has no code.
65535 unknown-operation The contract does not know the operation of the message.`;

const meanings = lazy(() => meaningsIn(computeCodes));
