/** Exit codes of the virtual machine and of the action phase. */
const meanings: Readonly<Record<number, string>> = {
  0: "success",
  1: "success, alternative exit",
  2: "stack underflow",
  3: "stack overflow",
  4: "integer overflow",
  5: "integer out of range",
  6: "invalid opcode",
  7: "type mismatch",
  8: "cell overflow",
  9: "cell underflow",
  10: "invalid dictionary",
  11: "the contract has no such method, or threw an unknown error",
  12: "fatal error",
  13: "out of gas",
  14: "virtualization error",
  32: "invalid action list",
  33: "action list too long",
  34: "invalid or unsupported action",
  35: "invalid source address in an outgoing message",
  36: "invalid destination address in an outgoing message",
  37: "balance too low for an action",
  38: "not enough extra currency for an action",
  39: "outgoing message does not fit into a cell",
  40: "cannot process a message: balance too low for its fees, or too large",
  41: "library not found",
  42: "library change failed",
  43: "library has too many cells or is too deep",
  50: "account state too large",
};

/** The meaning of an exit code; `undefined` for codes whose meaning the contract defines. */
export function explainExitCode(code: number): string | undefined {
  // -14 means out of gas, when the code itself could not be pushed onto the stack.
  return code === -14 ? meanings[13] : code === -13 ? "the account has no code" : meanings[code];
}
