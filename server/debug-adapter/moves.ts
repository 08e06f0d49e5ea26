import type { Trail } from "./trail.js";

/** What is walked at once: a statement of the source, or an instruction. */
export type Granularity = "statement" | "instruction";

/** Where a step leads; undefined if it leads out of the run. */
type Target = number | undefined;

/** To the next statement of the function, or of one around it. */
export function next(trail: Trail, n: number, granularity: Granularity): Target {
  // What is before the first function calls nothing.
  if (trail.visit(n) < 0) return into(trail, n, granularity);
  const depth = trail.depth(n);
  if (granularity === "instruction") return forth(trail, n + 1, (step) => trail.depth(step) <= depth);
  return forth(trail, n + 1, (step) => trail.depth(step) <= depth && isOther(trail, step, n));
}

/** To the next statement, also of functions that this one calls. */
export function into(trail: Trail, n: number, granularity: Granularity): Target {
  if (granularity === "instruction") return n + 1 < trail.end ? n + 1 : undefined;
  return forth(trail, n + 1, (step) => isOther(trail, step, n));
}

/** Behind the function: to its caller. */
export function out(trail: Trail, n: number): Target {
  const visit = trail.visits[trail.visit(n)];
  if (!visit || visit.to >= trail.end) return undefined;
  return visit.to;
}

/** To the beginning of the statement or, from there, to that of the one before in the function or in one around it. */
export function back(trail: Trail, n: number, granularity: Granularity): Target {
  if (granularity === "instruction") return n > trail.first ? n - 1 : undefined;
  const own = beginning(trail, n);
  if (own !== undefined && own < n) return own;
  const depth = trail.depth(n);
  const before = backTo(trail, n - 1, (step) => trail.line(step) >= 0 && trail.depth(step) <= depth);
  return before === undefined ? undefined : beginning(trail, before);
}

/** The first step of the statement that a step belongs to; undefined if it belongs to none. */
function beginning(trail: Trail, n: number): Target {
  const visit = trail.visit(n);
  const line = trail.line(n);
  return line < 0
    ? undefined
    : backTo(
        trail,
        n,
        (step) => trail.visit(step) === visit && trail.line(step) === line && trail.begins(step),
      );
}

/** Whether a step belongs to another statement. */
function isOther(trail: Trail, step: number, than: number): boolean {
  const line = trail.line(step);
  return line >= 0 && (line !== trail.line(than) || trail.visit(step) !== trail.visit(than));
}

function forth(trail: Trail, from: number, isWanted: (n: number) => boolean): Target {
  for (let n = from; n < trail.end; n++) if (isWanted(n)) return n;
  return undefined;
}

function backTo(trail: Trail, from: number, isWanted: (n: number) => boolean): Target {
  for (let n = from; n >= trail.first; n--) if (isWanted(n)) return n;
  return undefined;
}
