import { readArguments, schemas } from "./arguments.js";
import { isWritable } from "./breakpoints.js";
import type { Debuggee, Handler, Handlers, SessionState } from "./handlers.js";
import type { Trail } from "./trail.js";
import type { Walk } from "./walk.js";

/** Places of a line that a user can go to. */
const maxTargets = 100;

/**
 * Requests about breakpoints, and about places to go to. Breakpoints are also set before the launch, which then resolves them. `walk`:
 * that of a session that is launched.
 */
export function settingHandlers(
  { breakpoints }: SessionState,
  walk: () => Walk | undefined,
  debuggee: () => Debuggee,
): Handlers {
  const set = async (name: string, wanted: Parameters<SessionState["breakpoints"]["set"]>[1]) => {
    const ids = breakpoints.set(name, wanted);
    await walk()?.verify();
    return { body: { breakpoints: ids.map((id) => breakpoints.present(id)) } };
  };
  return new Map<string, Handler>([
    [
      "setBreakpoints",
      (given) => {
        const { source, breakpoints } = readArguments(schemas.breakpoints, given);
        const name = `line ${source.sourceReference || source.path || source.name}`;
        return set(
          name,
          breakpoints.map((each) => ({ ...each, kind: "line", source: sourceIn(source) })),
        );
      },
    ],
    [
      "setFunctionBreakpoints",
      (given) => {
        const { breakpoints } = readArguments(schemas.functionBreakpoints, given);
        return set(
          "function",
          breakpoints.map((each) => ({ ...each, kind: "function" })),
        );
      },
    ],
    [
      "setInstructionBreakpoints",
      (given) => {
        const { breakpoints } = readArguments(schemas.instructionBreakpoints, given);
        return set(
          "instruction",
          breakpoints.map(({ instructionReference: reference, ...each }) => ({
            ...each,
            kind: "instruction",
            reference,
          })),
        );
      },
    ],
    [
      "setDataBreakpoints",
      (given) => {
        const { breakpoints } = readArguments(schemas.dataBreakpoints, given);
        return set(
          "data",
          breakpoints.map((each) => ({ ...each, kind: "data" })),
        );
      },
    ],
    [
      "setExceptionBreakpoints",
      async (given) => {
        const { filters } = readArguments(schemas.exceptionBreakpoints, given);
        breakpoints.setFilters(filters);
        await walk()?.verify();
        return {};
      },
    ],
    ["dataBreakpointInfo", (given) => ({ body: dataInfo(given, debuggee()) })],
    [
      "breakpointLocations",
      async (given) => {
        const { source, line, endLine = line } = readArguments(schemas.breakpointLocations, given);
        const { walk, files } = debuggee();
        const file = files.fileOf(sourceIn(source));
        const { listing } = await walk.load(walk.current);
        const lines = file === undefined ? [] : listing.linesBetween(file, line, endLine);
        return { body: { breakpoints: lines.map((each) => ({ line: each })) } };
      },
    ],
    [
      "gotoTargets",
      async (given) => {
        const { source, line } = readArguments(schemas.gotoTargets, given);
        const { walk, files } = debuggee();
        const { trail } = await walk.load(walk.current);
        return { body: { targets: targetsOf(trail, files.fileOf(sourceIn(source)), line) } };
      },
    ],
  ]);
}

type Source = { name?: string | undefined; path?: string | undefined; sourceReference?: number | undefined };

function sourceIn({ name, path, sourceReference }: Source) {
  return {
    ...(name !== undefined && { name }),
    ...(path !== undefined && { path }),
    ...(sourceReference !== undefined && { sourceReference }),
  };
}

function dataInfo(given: unknown, { variables }: Debuggee) {
  const { name, variablesReference } = readArguments(schemas.dataBreakpointInfo, given);
  const expression = variablesReference ? variables.partPath(variablesReference, name) : name;
  if (!isWritable(expression))
    return { dataId: null, description: "only c4, c5, c7 and members of the storage are watched" };
  return {
    dataId: expression,
    description: `where ${expression} is written`,
    accessTypes: ["write" as const],
    canPersist: true,
  };
}

/** The statements of a line, by their first steps. */
function targetsOf(trail: Trail, file: string | undefined, line: number) {
  const steps = file === undefined ? [] : trail.statementsOf(file, line);
  return steps.slice(0, maxTargets).map((n) => {
    const at = trail.instruction(n)?.at;
    return { id: n, label: `step ${n}`, line, ...(at && { instructionPointerReference: at }) };
  });
}
