import type { DebugProtocol } from "@vscode/debugprotocol";
import { readArguments, schemas } from "./arguments.js";
import { Breakpoints } from "./breakpoints.js";
import { capabilities } from "./capabilities.js";
import type { Debuggee, Handler, Handlers } from "./handlers.js";
import { type LaunchArguments, launch, readLaunch } from "./launch.js";
import type { LocalSources } from "./local-sources.js";
import type { Reply, Request } from "./protocol.js";
import { type CallService, RequestError, reasonOf } from "./service-calls.js";
import { inspectHandlers } from "./session-inspect.js";
import { settingHandlers } from "./session-settings.js";
import { mappedPaths, SourceFiles } from "./source-files.js";
import { Variables } from "./variables.js";
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
  #launched: LaunchArguments | undefined;
  #debuggee: Debuggee | undefined;
  /** The run that the session begins in. */
  #start = 0;
  /** The stop that a client waits for until it has set its breakpoints. */
  #isConfigured = false;
  #halt: Halt = { reason: "entry", breakpoints: [] };

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const debuggee = () => this.#running();
    this.#handlers = new Map([
      ...inspectHandlers(debuggee, () => this.#halt),
      ...settingHandlers(debuggee),
      ...this.#ownHandlers(),
    ]);
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  /** Answers a request. Requests of a session are answered one after the other. Throws what is a defect. */
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

  /** Moves on. Where that fails, the walk stands where the service did not answer. */
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

  /** Ends the session: what is under way is dropped. */
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
      ["initialize", () => ({ body: capabilities })],
      ["launch", (given) => this.#launch(given)],
      ["attach", (given) => this.#launch(given)],
      ["configurationDone", () => ({ after: () => this.#begin() })],
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

  async #launch(given: Readonly<Record<string, unknown>>) {
    if (this.#debuggee) throw new RequestError("the session has begun already");
    await this.#open(readLaunch(given));
    return { after: async () => this.#event("initialized") };
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
    const { runs, failed, notes } = await launch(launched, { call, local });
    const mapped = mappedPaths(launched.pathMap);
    const files = new SourceFiles((file) => local.pathOf(file) ?? mapped(file));
    const breakpoints = new Breakpoints(files);
    const listener = {
      printed: (text: string) => this.#print(text, "stdout"),
      verified: (id: number) =>
        this.#isConfigured &&
        this.#event("breakpoint", { reason: "changed", breakpoint: breakpoints.present(id) }),
      loaded: (loaded: { files: ReadonlyMap<string, string | undefined>; notes: readonly string[] }) =>
        this.#loaded(files, loaded),
    };
    const walk = new Walk(runs, { breakpoints, listener, signal });
    for (const note of notes) this.#print(note, "console");
    this.#start = launched.stopOn === "failure" && failed ? runs.indexOf(failed) : 0;
    await walk.stand(this.#start);
    this.#debuggee = { walk, files, breakpoints, variables: new Variables() };
    this.#launched = launched;
  }

  #loaded(
    known: SourceFiles,
    { files, notes }: { files: ReadonlyMap<string, string | undefined>; notes: readonly string[] },
  ): void {
    for (const note of notes) this.#print(note, "console");
    for (const [file, text] of files)
      if (known.add(file, text)) this.#event("loadedSource", { reason: "new", source: known.sourceOf(file) });
  }

  /** The first stop. */
  async #begin(): Promise<void> {
    if (this.#isConfigured || !this.#debuggee || !this.#launched) return;
    this.#isConfigured = true;
    await this.#stopFirst(this.#debuggee.walk, this.#launched);
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
        this.#debuggee?.variables.clear();
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

  /** That of the first run that failed. */
  get #exitCode(): number {
    const failed = this.#debuggee?.walk.runs.find(({ run }) => !run.outcome.success);
    return failed ? failed.run.outcome.exit_code || 1 : 0;
  }

  #running(): Debuggee {
    if (!this.#debuggee) throw new RequestError("nothing is debugged yet: send launch first");
    return this.#debuggee;
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
