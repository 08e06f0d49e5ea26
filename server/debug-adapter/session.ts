import type { DebugProtocol } from "@vscode/debugprotocol";
import { readArguments, schemas } from "./arguments.js";
import { Breakpoints } from "./breakpoints.js";
import { capabilities } from "./capabilities.js";
import type { Loaded } from "./debugged-run.js";
import type { Debuggee, Handler, Handlers, SessionState } from "./handlers.js";
import { launch } from "./launch/launch.js";
import { type LaunchArguments, readLaunch } from "./launch/launch-arguments.js";
import { confirmNetwork } from "./launch/network.js";
import type { LocalSources } from "./local-sources.js";
import type { Reply, Request } from "./protocol.js";
import { type CallService, RequestError, reasonOf } from "./service-calls.js";
import { inspectHandlers } from "./session-inspect.js";
import { settingHandlers } from "./session-settings.js";
import { SourceFiles } from "./source-files.js";
import { Variables } from "./values/variables.js";
import { type Halt, type Step, Walk } from "./walk.js";
import { failureAt, failureOf } from "./words.js";

export type SessionDeps = {
  /** The service that a client has named; throws a RequestError if it cannot be used. */
  readonly serviceOf: (given: LaunchArguments) => CallService;
  readonly local: LocalSources;
  readonly send: (message: Reply) => void;
};

/** A session of the Debug Adapter Protocol: recorded runs, which are walked forth and back. */
export class DebugSession {
  readonly #deps: SessionDeps;
  readonly #end = new AbortController();
  readonly #handlers: Handlers;
  readonly #state: SessionState;
  #isInitialized = false;
  #launched: LaunchArguments | undefined;
  #walk: Walk | undefined;
  /** The run that the session begins in. */
  #start = 0;
  /** Whether the client has set its breakpoints, before the launch or after it: then the first stop comes. */
  #isConfigured = false;
  #hasBegun = false;
  #halt: Halt = { reason: "entry", breakpoints: [] };

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const files = new SourceFiles(deps.local.pathOf);
    this.#state = { files, breakpoints: new Breakpoints(files), variables: new Variables() };
    const debuggee = () => this.#running();
    this.#handlers = new Map([
      ...inspectHandlers(debuggee, () => this.#halt),
      ...settingHandlers(this.#state, () => this.#walk, debuggee),
      ...this.#ownHandlers(),
    ]);
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  /** Answers a request. Requests of a session are answered one after the other. Throws defects. */
  async handle(request: Request): Promise<void> {
    const { command } = request;
    try {
      const handler = this.#handlers.get(command);
      if (!handler) throw new RequestError(`${command} is not supported: the runs are recorded`);
      const { body, after } = await handler(request.arguments);
      this.#respond(request, { success: true, ...(body && { body }) });
      await this.#afterwards(after);
    } catch (error) {
      this.refuse(request, reasonOf(error));
      if (isDefect(error)) throw error;
    }
  }

  /** Answers a request that is not served. */
  refuse(request: Request, message: string): void {
    this.#respond(request, { success: false, message, body: { error: { id: 1, format: message } } });
  }

  /** Does the work that follows an answer. If the service fails, the walk stops where it is. */
  async #afterwards(work: (() => unknown) | undefined): Promise<void> {
    try {
      await work?.();
    } catch (error) {
      if (this.hasEnded) return;
      this.#print(reasonOf(error), "stderr");
      await this.#halted({ reason: "pause", breakpoints: [] });
      if (isDefect(error)) throw error;
    }
  }

  /** Ends the session, and drops its unfinished work. */
  close(): void {
    this.#end.abort(new RequestError("the session has ended"));
  }

  #ownHandlers(): Handlers {
    const step = (kind: Step) => (given: unknown) => {
      const { threadId, granularity } = readArguments(schemas.step, given);
      const unit = granularity === "instruction" ? "instruction" : "statement";
      return this.#move(threadId, (walk) => walk.step(kind, unit));
    };
    return new Map<string, Handler>([
      ["initialize", () => ({ body: capabilities, after: () => this.#initialized() })],
      ["launch", (given) => this.#launch(given)],
      ["attach", (given) => this.#launch(given)],
      ["configurationDone", () => ({ after: () => this.#configured() })],
      ["restart", (given) => this.#restart(given)],
      ["next", step("next")],
      ["stepIn", step("stepIn")],
      ["stepOut", step("stepOut")],
      ["stepBack", step("stepBack")],
      ["continue", (given) => this.#goOn(given, 1)],
      ["reverseContinue", (given) => this.#goOn(given, -1)],
      ["goto", (given) => this.#goTo(given)],
      ["terminate", () => ({ after: () => this.#terminate() })],
      ["disconnect", () => ({ after: () => this.close() })],
    ]);
  }

  /** Clients send their breakpoints from now on, and the launch before them, among them or after them. */
  #initialized(): void {
    if (!this.#isInitialized) this.#event("initialized");
    this.#isInitialized = true;
  }

  async #launch(given: Readonly<Record<string, unknown>>) {
    if (this.#walk) throw new RequestError("the session has begun already");
    await this.#open(readLaunch(given));
    return { after: () => this.#begin() };
  }

  async #open(launched: LaunchArguments): Promise<void> {
    const { signal } = this.#end;
    const service = this.#deps.serviceOf(launched);
    const call: CallService = async (method, params) => {
      signal.throwIfAborted();
      const result = await service(method, params);
      signal.throwIfAborted();
      return result;
    };
    const { local } = this.#deps;
    if (launched.network !== undefined) await confirmNetwork(launched.network, call);
    const { runs, failed, notes } = await launch(launched, { call, local });
    const { files, breakpoints } = this.#state;
    files.usePaths(launched.pathMap);
    const listener = {
      printed: (text: string) => this.#print(text, "stdout"),
      verified: (id: number) =>
        this.#event("breakpoint", { reason: "changed", breakpoint: breakpoints.present(id) }),
      loaded: (loaded: Pick<Loaded, "files" | "notes">) => this.#loaded(files, loaded),
    };
    const walk = new Walk(runs, { breakpoints, listener, signal });
    for (const note of notes) this.#print(note, "console");
    this.#start = launched.stopOn === "failure" && failed ? runs.indexOf(failed) : 0;
    await walk.stand(this.#start);
    this.#walk = walk;
    this.#launched = launched;
  }

  #loaded(known: SourceFiles, { files, notes }: Pick<Loaded, "files" | "notes">): void {
    for (const note of notes) this.#print(note, "console");
    for (const [file, text] of files)
      if (known.add(file, text)) this.#event("loadedSource", { reason: "new", source: known.sourceOf(file) });
  }

  async #configured(): Promise<void> {
    this.#isConfigured = true;
    await this.#begin();
  }

  /** The first stop, once the session is launched and configured. */
  async #begin(): Promise<void> {
    if (this.#hasBegun || !this.#isConfigured || !this.#walk || !this.#launched) return;
    this.#hasBegun = true;
    await this.#stopFirst(this.#walk, this.#launched);
  }

  async #stopFirst(walk: Walk, { stopOn }: LaunchArguments): Promise<void> {
    if (stopOn === "none") {
      walk.current.at = undefined;
      return this.#halted(await walk.goOn(1, false));
    }
    const failure = stopOn === "failure" ? failureOf(walk.current.run) : undefined;
    if (failure) await walk.stand(walk.number, failure.step);
    return this.#halted({ reason: failure ? "exception" : "entry", breakpoints: [] });
  }

  /** Stands at the beginning again. Other parameters make other runs. */
  async #restart(given: unknown) {
    const { arguments: changed } = readArguments(schemas.restart, given);
    const { walk } = this.#running();
    const launched = this.#launched!;
    if (changed !== undefined && JSON.stringify(readLaunch(changed)) !== JSON.stringify(launched))
      throw new RequestError("other parameters need a new session");
    return {
      after: async () => {
        this.#state.variables.clear();
        const { trail } = await walk.load(walk.runs[this.#start]!);
        await walk.stand(this.#start, trail.first);
        await this.#stopFirst(walk, launched);
      },
    };
  }

  async #goOn(given: unknown, direction: 1 | -1) {
    const { threadId } = readArguments(schemas.thread, given);
    const moved = await this.#move(threadId, (walk) => walk.goOn(direction, true));
    return direction > 0 ? { ...moved, body: { allThreadsContinued: false } } : moved;
  }

  async #goTo(given: unknown) {
    const { threadId, targetId } = readArguments(schemas.goto, given);
    return this.#move(threadId, async (walk) => {
      await walk.stand(walk.number, targetId);
      return { reason: "goto", breakpoints: [] };
    });
  }

  /** Moves in a thread, once the request is answered. */
  async #move(threadId: number, move: (walk: Walk) => Promise<Halt | undefined>) {
    const { walk, variables } = this.#running();
    const before = walk.number;
    if (threadId - 1 !== before) await walk.stand(threadId - 1);
    return {
      after: async () => {
        variables.clear();
        await this.#halted(await move(walk));
        if (walk.number !== before) this.#event("continued", { threadId: before + 1 });
      },
    };
  }

  async #halted(halt: Halt | undefined): Promise<void> {
    if (!halt) return this.#terminate();
    this.#halt = halt;
    const { walk } = this.#running();
    const { run, at } = walk.current;
    const failure = halt.reason === "exception" ? failureAt(run, at) : undefined;
    this.#event("stopped", {
      reason: halt.reason,
      threadId: walk.number + 1,
      allThreadsStopped: false,
      ...(halt.breakpoints.length > 0 && { hitBreakpointIds: [...halt.breakpoints] }),
      ...(failure && { description: failure.text, text: failure.text }),
      ...(halt.reason === "end" && { description: "The end of the run." }),
    } satisfies DebugProtocol.StoppedEvent["body"]);
  }

  #terminate(): void {
    this.#event("exited", { exitCode: this.#exitCode });
    this.#event("terminated");
  }

  /** The exit code of the first run that failed; 0 if none did. */
  get #exitCode(): number {
    const failed = this.#walk?.runs.find(({ run }) => !run.outcome.success);
    return failed ? failed.run.outcome.exit_code || 1 : 0;
  }

  #running(): Debuggee {
    if (!this.#walk) throw new RequestError("nothing is debugged yet: send launch first");
    return { ...this.#state, walk: this.#walk };
  }

  #print(text: string, category: "console" | "stdout" | "stderr"): void {
    this.#event("output", { category, output: `${text}\n` });
  }

  #event(event: string, body?: object): void {
    if (!this.hasEnded) this.#deps.send({ type: "event", event, ...(body && { body }) });
  }

  #respond({ seq, command }: Request, answer: { success: boolean; message?: string; body?: unknown }): void {
    this.#deps.send({ type: "response", request_seq: seq, command, ...answer });
  }
}

/** Errors of the language are faults of the adapter. */
function isDefect(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
