import type { EmulatorOutput } from "../calls.js";

/**
 * The emulator in one thread: a build with patches or without. Cells are passed as base64 texts, parameters as the JSON
 * document that calls.ts makes.
 */
export interface EmulatorInstance {
  /** Keeps a configuration in the emulator's memory, for many runs. */
  loadConfig(base64: string): ConfigInstance;
}

/** A configuration in the memory of an emulator. Contracts and emulators made with it end before it is freed. */
export interface ConfigInstance {
  /** Undefined if the emulator refuses the parameters. */
  openContract(params: string): ContractEmulator | undefined;
  /** Undefined if the emulator cannot use this configuration. */
  createEmulator(verbosity: number): TransactionEmulator | undefined;
  free(): void;
}

/** A contract in its surroundings, for any number of get-methods: a run leaves nothing to the next one. */
export interface ContractEmulator {
  runMethod(methodId: number, stack: string): EmulatorAnswer;
  free(): void;
}

/** It keeps what it was given until it is given something else. */
export interface TransactionEmulator {
  /** An emulator that refuses its parameters is freed by that. */
  run(input: TransactionInput): EmulatorAnswer;
  free(): void;
}

export type TransactionInput = {
  /** Absent: those of the previous run. There is no way to give an empty set. */
  libraries: string | undefined;
  /** Absent: those of the previous run. */
  previousBlocks: string | undefined;
  account: string;
  message: string;
  params: string;
};

/** `logs`: the emulator's own log. */
export type EmulatorAnswer = RefusedParams | { fail?: never; output: EmulatorOutput; logs?: string };
type RefusedParams = { fail: true; message: string };
