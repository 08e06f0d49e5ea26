/** Members of a run's outcome that a service words. Runs without a service do not have them. */
export type OutcomeWords =
  | "exit_source"
  | "sentence"
  | "hint"
  | "instruction"
  | "wanted"
  | "left"
  | "library"
  | "source"
  | "function";

/** Members of its actions, likewise. */
export type ActionWords = "mode_text" | "code" | "reason" | "opcode" | "abi";
