import type { DebugProtocol } from "@vscode/debugprotocol";
import { readArguments, schemas } from "./arguments.js";
import type { DebuggedRun, Loaded } from "./debugged-run.js";
import type { Debuggee, Handler, Handlers } from "./handlers.js";
import { RequestError } from "./service-calls.js";
import { evaluate } from "./values/expression.js";
import type { MachineView } from "./values/machine-view.js";
import type { Halt } from "./walk.js";
import { failureAt, kindText, threadName } from "./words.js";

/** Numbers of frames: the thread, then how many functions are inside. So many are shown: recursion may be deeper. */
const framesOfThread = 1000;
const maxCompletions = 200;

/** Requests that look at where the walk stands. */
export function inspectHandlers(debuggee: () => Debuggee, halt: () => Halt): Handlers {
  return new Map<string, Handler>([
    [
      "threads",
      () => ({
        body: { threads: debuggee().walk.runs.map(({ run }, at) => ({ id: at + 1, name: threadName(run) })) },
      }),
    ],
    ["stackTrace", async (given) => ({ body: await stackTrace(given, debuggee()) })],
    [
      "scopes",
      async (given) => {
        const { frameId } = readArguments(schemas.scopes, given);
        const { variables } = debuggee();
        const { scopes } = await viewOf(frameId, debuggee());
        return {
          body: {
            scopes: scopes.map(({ name, value, hint, isDear = false }) => {
              const { variablesReference, ...counts } = variables.value(value, rootOf(name));
              return {
                ...{ name, variablesReference, expensive: isDear },
                ...("namedVariables" in counts && { namedVariables: counts.namedVariables }),
                ...(hint && { presentationHint: hint }),
              };
            }),
          },
        };
      },
    ],
    [
      "variables",
      (given) => {
        const { variablesReference, start, count } = readArguments(schemas.variables, given);
        return { body: { variables: debuggee().variables.list(variablesReference, { start, count }) } };
      },
    ],
    [
      "evaluate",
      async (given) => {
        const { expression, frameId } = readArguments(schemas.evaluate, given);
        const { variables } = debuggee();
        const { names } = await viewOf(frameId, debuggee(), expression);
        const { value, ...rest } = variables.value(evaluate(expression, names), expression.trim());
        return { body: { result: value, ...rest } };
      },
    ],
    [
      "completions",
      async (given) => {
        const { frameId, text, column } = readArguments(schemas.completions, given);
        // Bounded input: 2,000 characters.
        const typed = /[\w$]*$/.exec(text.slice(0, Math.max(0, column - 1)))?.[0] ?? "";
        const { completions } = await viewOf(frameId, debuggee());
        const targets = [...new Set(completions)]
          .filter((name) => name.startsWith(typed))
          .slice(0, maxCompletions)
          .map((label) => ({ label, type: "variable" as const }));
        return { body: { targets } };
      },
    ],
    ["exceptionInfo", () => ({ body: exceptionInfo(debuggee(), halt()) })],
    ["loadedSources", () => ({ body: { sources: debuggee().files.all } })],
    [
      "source",
      (given) => {
        const { source, sourceReference } = readArguments(schemas.source, given);
        const content = debuggee().files.text(source?.sourceReference || sourceReference);
        if (content === undefined) throw new RequestError("the service does not have the text of this file");
        return { body: { content } };
      },
    ],
    [
      "disassemble",
      async (given) => {
        const asked = readArguments(schemas.disassemble, given);
        const { walk, files } = debuggee();
        const { listing } = await walk.load(walk.current);
        const offset = asked.offset + asked.instructionOffset;
        const range = { offset, count: asked.instructionCount };
        return { body: { instructions: listing.around(asked.memoryReference, range, files) } };
      },
    ],
  ]);
}

async function stackTrace(given: unknown, { walk, files }: Debuggee) {
  const { threadId, startFrame, levels } = readArguments(schemas.stackTrace, given);
  const run = walk.runs[threadId - 1];
  if (!run) throw new RequestError(`there is no thread ${threadId}`);
  const { trail } = await walk.load(run);
  const frames = trail.end === trail.first ? [] : framesOf(threadId, run, trail, files);
  const shown = frames.slice(startFrame, levels === 0 ? undefined : startFrame + levels);
  return { stackFrames: shown, totalFrames: frames.length };
}

function framesOf(
  threadId: number,
  { at, run }: DebuggedRun,
  trail: Loaded["trail"],
  files: Debuggee["files"],
): DebugProtocol.StackFrame[] {
  const n = at ?? trail.first;
  const chain = trail.chain(n).slice(0, framesOfThread);
  const names = chain.map((visit) => trail.visits[visit]!.name);
  return (names.length > 0 ? names : [kindText(run)]).map((name, level) => {
    const step = level === 0 ? n : trail.visits[chain[level - 1]!]!.from - 1;
    const place = step < trail.first ? undefined : trail.place(step);
    const instruction = step < trail.first ? undefined : trail.instruction(step);
    return {
      id: threadId * framesOfThread + level,
      name: level === 0 && !place && instruction ? `${name}: ${instruction.text}` : name,
      line: place?.line ?? 0,
      column: place?.column ?? 0,
      ...(place?.end_line !== undefined && { endLine: place.end_line, endColumn: place.end_column ?? 0 }),
      ...(place ? { source: files.sourceOf(place.file) } : { presentationHint: "subtle" as const }),
      ...(instruction && { instructionPointerReference: instruction.at }),
    };
  });
}

/** The machine as a frame sees it; by default the innermost one of the thread that is walked. */
async function viewOf(
  frameId: number | undefined,
  { walk }: Debuggee,
  expression?: string,
): Promise<MachineView> {
  const number = frameId === undefined ? walk.number : Math.floor(frameId / framesOfThread) - 1;
  const run = walk.runs[number];
  if (!run) throw new RequestError("the frame is not known any more: ask for the stack trace again");
  const { trail } = await walk.load(run);
  if (trail.end === trail.first) throw new RequestError("no code ran");
  return run.view(run.at ?? trail.first, (frameId ?? 0) % framesOfThread, expression);
}

/** Scopes whose values are named as parts of them. */
function rootOf(scope: string): string {
  if (scope === "Storage") return "storage";
  return scope === "Message" ? "message" : "";
}

function exceptionInfo({ walk }: Debuggee, { reason }: Halt): DebugProtocol.ExceptionInfoResponse["body"] {
  const { run, at } = walk.current;
  if (reason !== "exception") throw new RequestError("the walk does not stand at an exception");
  const { exit_code: code, exit_name: name } = run.outcome;
  const failure = failureAt(run, at);
  return failure
    ? {
        exceptionId: name ?? (code === null ? "aborted" : `exit code ${code}`),
        description: failure.text,
        breakMode: "unhandled",
      }
    : {
        exceptionId: "exception",
        description: "An exception that the contract handles.",
        breakMode: "always",
      };
}
