import type { Breakpoints } from "./breakpoints.js";
import type { SourceFiles } from "./source-files.js";
import type { Variables } from "./variables.js";
import type { Walk } from "./walk.js";

/** What a session has after its launch. */
export type Debuggee = {
  readonly walk: Walk;
  readonly files: SourceFiles;
  readonly breakpoints: Breakpoints;
  readonly variables: Variables;
};
