import type { DebugStepRecord } from "../../shared/schema/v3/debug.js";
import type { PathOf } from "./source-files.js";

/** A code that was made here of sources of a project. */
export type LocalCode = {
  /** What is said of it. */
  readonly notes: readonly string[];
  /** The place of an instruction in the sources; absent if the compiler tells no lines. */
  readonly locate?: ((at: string) => Pick<DebugStepRecord, "source" | "function">) | undefined;
  /** All steps of a run, with the lines and functions of the project. */
  readonly relocated: (steps: readonly DebugStepRecord[]) => readonly DebugStepRecord[];
};

/** Sources on the machine of the adapter. */
export type LocalSources = {
  /** The code of one of these hashes (base64), with what is known of its sources. */
  readonly codeOf: (hashes: readonly string[]) => Promise<LocalCode | undefined>;
  readonly pathOf: PathOf;
};

/** For adapters that run in a service. */
export const noLocalSources: LocalSources = { codeOf: async () => undefined, pathOf: () => undefined };
