/** What the virtual machine and the action phase mean by their exit codes. */
const meanings: Readonly<Record<number, string>> = {
  0: "success",
  1: "success, by the other way out",
  2: "the stack had too few values",
  3: "the stack had too many values",
  4: "a number became too large",
  5: "a number was out of its range",
  6: "an instruction is not known",
  7: "a value was of another type than expected",
  8: "a cell became too large",
  9: "a cell had less than was read from it",
  10: "a dictionary was damaged",
  11: "the contract has no such method, or threw an unknown error",
  12: "a fatal error",
  13: "the gas ran out",
  14: "a virtualization error",
  32: "the list of actions was not valid",
  33: "the list of actions was too long",
  34: "an action was not valid or not supported",
  35: "an outgoing message had a wrong source",
  36: "an outgoing message had a wrong destination",
  37: "not enough TON for an action",
  38: "not enough extra currency for an action",
  39: "an outgoing message did not fit into a cell",
  40: "a message could not be processed: not enough TON for its fees, or it was too large",
  41: "a library was missing",
  42: "a library could not be changed",
  43: "a library had too many cells or was too deep",
  50: "the account would become too large",
};

/** An exit code in words; `undefined` for codes that contracts give their own meanings. */
export function explainExitCode(code: number): string | undefined {
  // -14 is how running out of gas is told when the code itself could not be pushed.
  return code === -14 ? meanings[13] : code === -13 ? "the account has no code" : meanings[code];
}
