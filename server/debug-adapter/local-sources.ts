import type { DebugStepRecord } from "../../shared/schema/v3/debug.js";
import { RequestError } from "./service-calls.js";
import type { PathOf } from "./source-files.js";
import type { TrailStep } from "./trail.js";

/** A code that was made here of sources of a project. */
export type LocalCode = {
  /** Lines for the user. */
  readonly notes: readonly string[];
  /** The place of an instruction in the sources; absent if the compiler tells no lines. */
  readonly locate?: ((at: string) => Pick<DebugStepRecord, "source" | "function">) | undefined;
  /** All steps of a run, with the lines and functions of the project. */
  readonly relocated: (steps: readonly TrailStep[]) => readonly TrailStep[];
};

/** Files on the machine of the adapter. */
export type LocalSources = {
  /** The code of one of these hashes (base64), with what is known of its sources. */
  readonly codeOf: (hashes: readonly string[]) => Promise<LocalCode | undefined>;
  readonly pathOf: PathOf;
  /** The text of a file that a client has named. Rejects with a RequestError if it cannot be read. */
  readonly readFile: (path: string) => Promise<string>;
};

/** For adapters that run in a service. */
export const noLocalSources: LocalSources = {
  codeOf: async () => undefined,
  pathOf: () => undefined,
  readFile: () =>
    Promise.reject(new RequestError("a service reads no files: give the content of abi and sourceMap")),
};
