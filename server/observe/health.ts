import type { HealthScope } from "../../shared/values/health-scopes.js";

/**
 * Why something does not work. Callers see the text. `detail` may name files, system errors or SQL, so only the operator
 * sees it.
 */
export type Reason = { readonly text: string; readonly detail: string };

/** A text alone is for callers and operators alike. */
export type ReasonOrText = string | Reason;

type ReasonOf = () => ReasonOrText | undefined;

/**
 * Calls that need the same things: those that read the chain (API v2, v4), those that read the index (API v3, streams),
 * and what is stored (blocks of the index or of a devnet, webhooks).
 */
type HealthPart = Exclude<HealthScope, "any" | "all">;

/** The health of a process as data, which another process can read. */
export type HealthReport = {
  /** Why nothing is answered: the process starts or stops. */
  readonly refusal: string | undefined;
  /** Why a process that has just begun is not ready, although it answers some calls. */
  readonly startup: ReasonOrText | undefined;
  /** For each part of the process why its calls cannot be answered; `undefined` while they are. */
  readonly parts: ReadonlyMap<HealthPart, ReasonOrText | undefined>;
  /** Why answers are worse or older than usual, although all calls are answered. */
  readonly degraded: readonly ReasonOrText[];
};

/** Health of a process: which calls it can answer, and why it cannot answer the others. */
export class Health {
  #phase: "starting" | "ready" | "stopping" = "starting";
  readonly #startup: ReasonOf[] = [];
  readonly #parts = new Map<HealthPart, ReasonOf>();
  readonly #degraded: ReasonOf[] = [];

  /** `ready` once calls are answered, `stopping` from the request to stop on. */
  get phase(): "starting" | "ready" | "stopping" {
    return this.#phase;
  }

  /** Why no call is answered; `undefined` while the process is ready. */
  get refusal(): string | undefined {
    return this.#phase === "ready" ? undefined : `Service is ${this.#phase}`;
  }

  get report(): HealthReport {
    return {
      refusal: this.refusal,
      startup: reasonsOf(this.#startup)[0],
      parts: new Map([...this.#parts].map(([part, reasonOf]) => [part, reasonOf()])),
      degraded: reasonsOf(this.#degraded),
    };
  }

  /** The process has the part, and cannot answer its calls while `reason` returns one. */
  answers(part: HealthPart, reason: ReasonOf): void {
    this.#parts.set(part, reason);
  }

  /** All calls are answered, but worse, while `reason` returns one. */
  degradedBy(reason: ReasonOf): void {
    this.#degraded.push(reason);
  }

  /** The process has just begun, and balancers should wait while `reason` returns one. */
  startsBy(reason: ReasonOf): void {
    this.#startup.push(reason);
  }

  /** Changes the phase; `stopping` is final. */
  enter(phase: "ready" | "stopping"): void {
    if (this.#phase !== "stopping") this.#phase = phase;
  }
}

/** The health of several processes as that of one: a part is answered if each of them answers it. */
export function combinedHealth(reports: readonly HealthReport[]): HealthReport {
  const parts = new Map<HealthPart, ReasonOrText | undefined>();
  for (const report of reports)
    for (const [part, reason] of report.parts) parts.set(part, parts.get(part) ?? reason);
  return {
    refusal: reports.find(({ refusal }) => refusal !== undefined)?.refusal,
    startup: reports.find(({ startup }) => startup !== undefined)?.startup,
    parts,
    degraded: reports.flatMap(({ degraded }) => degraded),
  };
}

type HealthReader = "caller" | "operator";

/** The answer to a check: status and text. */
export function checkHealth(
  report: HealthReport,
  scope: HealthScope,
  reader: HealthReader,
): readonly [status: 200 | 503, text: string] {
  const failure = failureOf(report, scope, reader);
  if (failure !== undefined) return [503, failure];
  return [200, scope === "any" ? stateText(report, reader) : "OK"];
}

/** Why a check of the scope fails; `undefined` if it succeeds. */
export function failureOf(
  report: HealthReport,
  scope: HealthScope,
  reader: HealthReader,
): string | undefined {
  const reason = report.refusal ?? failureIn(report, scope);
  return reason === undefined ? undefined : reasonText(reason, reader);
}

/** `OK`, or each part and what is wrong. */
function stateText({ parts, degraded }: HealthReport, reader: HealthReader): string {
  const states = [...parts].map(
    ([part, reason]) => `${part}: ${reason === undefined ? "OK" : reasonText(reason, reader)}`,
  );
  const isWell = degraded.length === 0 && [...parts.values()].every((reason) => reason === undefined);
  // Processes of one service may have the same reason.
  const others = new Set(degraded.map((reason) => reasonText(reason, reader)));
  return isWell ? "OK" : ["degraded", ...states, ...others].join("\n");
}

function failureIn({ startup, parts, degraded }: HealthReport, scope: HealthScope): ReasonOrText | undefined {
  const lacks = [...parts.values()].filter((reason) => reason !== undefined);
  switch (scope) {
    case "any":
      return startup ?? (answersNothing(parts) ? lacks[0] : undefined);
    case "all":
      return startup ?? lacks[0] ?? degraded[0];
    default:
      return parts.has(scope) ? parts.get(scope) : `${scope} is not a part of this process`;
  }
}

/** A process that answers no calls any more is of no use, even if it could store something. */
function answersNothing(parts: HealthReport["parts"]): boolean {
  const readable = [...parts.keys()].filter((part) => part !== "writes");
  const needed = readable.length > 0 ? readable : [...parts.keys()];
  return needed.length > 0 && needed.every((part) => parts.get(part) !== undefined);
}

function reasonsOf(all: readonly ReasonOf[]): ReasonOrText[] {
  return all.map((reasonOf) => reasonOf()).filter((reason) => reason !== undefined);
}

/** The text of a reason: callers see no internals. */
export function reasonText(reason: ReasonOrText, reader: HealthReader): string {
  if (typeof reason === "string") return reason;
  return reader === "operator" ? reason.detail : reason.text;
}
