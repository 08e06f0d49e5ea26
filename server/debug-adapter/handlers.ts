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

/** What a request is answered with, and what happens once it is answered. */
type Answer = { readonly body?: object | undefined; readonly after?: (() => unknown) | undefined };

export type Handler = (given: Readonly<Record<string, unknown>>) => Promise<Answer> | Answer;

/** Handlers by the commands of requests. */
export type Handlers = ReadonlyMap<string, Handler>;
