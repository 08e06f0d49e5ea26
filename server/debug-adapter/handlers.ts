import type { Breakpoints } from "./breakpoints.js";
import type { SourceFiles } from "./source-files.js";
import type { Variables } from "./values/variables.js";
import type { Walk } from "./walk.js";

/** The parts of a session that exist before its launch. */
export type SessionState = {
  readonly files: SourceFiles;
  readonly breakpoints: Breakpoints;
  readonly variables: Variables;
};

/** The parts of a launched session. */
export type Debuggee = SessionState & { readonly walk: Walk };

/** The answer to a request, and the work that follows it. */
type Answer = { readonly body?: object | undefined; readonly after?: (() => unknown) | undefined };

export type Handler = (given: Readonly<Record<string, unknown>>) => Promise<Answer> | Answer;

/** Handlers by the commands of requests. */
export type Handlers = ReadonlyMap<string, Handler>;
