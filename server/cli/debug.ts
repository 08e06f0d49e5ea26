import { readFileSync, writeFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import type { z } from "zod";
import type { DebugRunRecord, DebugStepRecord } from "../../shared/schema/v3/debug.js";
import type { debugProfile } from "../../shared/schema/v3/debug-state.js";
import { readHash } from "../../shared/values/bytes.js";
import { SetupError } from "../errors.js";
import { addServiceOptions, callService, type ServiceFlags } from "./call-service.js";
import { CommandStatus } from "./command-status.js";
import { differenceLines, runLines, stepLines } from "./debug-lines.js";
import { type Project, relocated, sourceLines, withLines } from "./recompiled-run.js";
import { plainText } from "./result-lines.js";

export type DebugContext = {
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  printError: (line: string) => void;
  /** Compiles the contracts of a folder until one has one of the code hashes. */
  recompile: (folder: string, codeHashes: readonly string[]) => Promise<Project>;
  /** Serves editors until the process is asked to stop, or standard input ends. */
  serveDebugger: (plan: DebuggerPlan) => Promise<void>;
};

/** How editors reach the debug adapter, and what it reads. */
export type DebuggerPlan = {
  /** A port of this machine; absent for standard input and output. */
  readonly port?: number | undefined;
  readonly project?: string | undefined;
  readonly flags: ServiceFlags;
};

type Flags = ServiceFlags & {
  steps?: boolean;
  json?: boolean;
  compare?: string;
  limit: number;
  profile?: string;
  project?: string;
  port?: number;
  stdio?: boolean;
};
type Run = DebugRunRecord & { all_steps?: DebugStepRecord[] };
type DebugProfile = z.output<typeof debugProfile>;
type StepPage = { steps: DebugStepRecord[]; next: number | null };

/** Exit codes for runs that are not the chain's. */
const statuses = { exact: 0, none: 0, state: 3, different: 4 } as const;
const tooDear = 1;
/** Formats of profiles, by the ending of a file. */
const formats = [
  [".cpuprofile", "cpuprofile"],
  [".speedscope.json", "speedscope"],
  [".json", "json"],
  ["", "collapsed"],
] as const;
/** Steps of a page, and those that are shown without being asked for. */
const pageLength = 1000;
const lastSteps = 20;
/** Options that do not go with a server for editors. */
const shownOnly = ["steps", "json", "compare", "profile"] as const;
/** Longest run whose steps are all read where a project is named. Of longer ones it reads the last steps only, and does not show the gas by lines. */
const maxLocated = 20_000;

/** `tonwire debug`: how a transaction ran, by a running service. */
export function debugCommand(context: DebugContext): Command {
  const command = new Command("debug")
    .description("run a transaction again on a running service, and show why it ended as it did, and its gas")
    .argument(
      "[hash]",
      "hash of the transaction, in hex, base64 or base64url; -- before one that begins with -. Not for --port and --stdio",
      hashOf,
    )
    .option("--steps", "print all steps")
    .option("--json", "print the run as JSON, with --steps also its steps as all_steps")
    .option("--compare <file>", "compare the gas with that of a run which --json has saved")
    .option("--limit <percent>", "with --compare: how much more gas is accepted", percentOf, 0)
    .option(
      "--profile <file>",
      "write where the gas went: .cpuprofile for Chrome's DevTools, .speedscope.json, .json, or else a text for flame graphs",
    )
    .option(
      "--project <folder>",
      "compile the contracts in a folder by the compiler that is installed there, and show the lines of the one that makes the code",
    )
    .addOption(
      new Option(
        "--port <port>",
        "serve editors on a port of this machine, by the Debug Adapter Protocol; 0: any free port",
      )
        .argParser(portOf)
        .conflicts(["stdio", ...shownOnly]),
    )
    .addOption(
      new Option(
        "--stdio",
        "serve an editor on standard input and output, by the Debug Adapter Protocol",
      ).conflicts([...shownOnly]),
    )
    .addHelpText(
      "after",
      "\nExit codes: 3 if only the account's state after the run is the chain's, 4 if nothing is, and 1 if --compare finds too much gas.",
    );
  return addServiceOptions(command).action(async () => {
    const flags = command.opts<Flags>();
    const [hash] = command.processedArgs;
    if (flags.port !== undefined || flags.stdio) return serve(hash, flags, context);
    if (hash === undefined)
      throw new SetupError("name a transaction by its hash, or serve editors by --port");
    const saved = flags.compare === undefined ? undefined : savedRun(flags.compare);
    const read = await readRun(hash, flags, context);
    const project = await projectOf(read, flags, context);
    const run = project?.found ? withSources(read, project.found) : read;
    for (const line of linesOf(run, project, saved, flags)) context.print(line);
    if (flags.profile !== undefined) await writeProfile(run.run, flags.profile, flags, context);
    const isTooDear = saved !== undefined && moreGas(saved, run) > flags.limit;
    const status = isTooDear ? tooDear : statuses[run.proof.level];
    if (status !== 0) throw new CommandStatus(status);
  });
}

function serve(
  hash: string | undefined,
  { port, project, url, key }: Flags,
  context: DebugContext,
): Promise<void> {
  if (hash !== undefined) throw new SetupError("an editor names the transaction: leave out the hash");
  const flags = { ...(url !== undefined && { url }), ...(key !== undefined && { key }) };
  return context.serveDebugger({ port, project, flags });
}

/** A run with the steps that are shown. */
async function readRun(
  hash: string,
  { steps, json, project, ...flags }: Flags,
  context: DebugContext,
): Promise<Run> {
  // A run that ends in another state is shown, and told by the exit code.
  const asked = { hash, force: true };
  const run = (await callService("v3.debug.transaction", asked, flags, context)) as Run;
  if (json && !steps && project === undefined) return run;
  const all: DebugStepRecord[] = [];
  const first = { run: run.run, force: true, limit: pageLength, include: ["source"] };
  const needsAll = steps || (project !== undefined && run.steps <= maxLocated);
  for (let from: number | null = needsAll ? 0 : Math.max(0, run.steps - lastSteps); from !== null; ) {
    const page = (await callService("v3.debug.steps", { ...first, from }, flags, context)) as StepPage;
    all.push(...page.steps);
    from = page.next;
  }
  return { ...run, all_steps: all };
}

/** The contract of the project that is the code of the run; absent without a project, and if no code ran. */
async function projectOf(
  { code }: Run,
  { project: folder }: Flags,
  { recompile, printError }: DebugContext,
): Promise<Project | undefined> {
  if (folder === undefined || !code) return undefined;
  const project = await recompile(folder, [code.hash, ...(code.library === null ? [] : [code.library])]);
  for (const failure of project.failures) printError(`tonwire: ${plainText(failure)}`);
  return project;
}

/** The run with the lines of a project. */
function withSources({ all_steps = [], ...run }: Run, found: NonNullable<Project["found"]>): Run {
  const steps = relocated(all_steps, found);
  return { ...(found.locate ? withLines(run, steps) : run), all_steps: steps };
}

async function writeProfile(
  run: string,
  path: string,
  flags: ServiceFlags,
  context: DebugContext,
): Promise<void> {
  const [, format] = formats.find(([ending]) => path.endsWith(ending))!;
  const asked = { run, force: true, format };
  const profile = (await callService("v3.debug.profile", asked, flags, context)) as DebugProfile;
  const { text, file = profile } = profile;
  try {
    writeFileSync(path, text ?? `${JSON.stringify(file)}\n`);
  } catch (error) {
    throw new SetupError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

function linesOf(
  { all_steps = [], ...run }: Run,
  project: Project | undefined,
  saved: Run | undefined,
  { json, steps }: Flags,
): string[] {
  if (json) {
    const { locate: _, ...recompiled } = project?.found ?? {};
    const shown = { ...run, ...(project?.found && { recompiled }), ...(steps && { all_steps }) };
    return [JSON.stringify(shown, null, 2)];
  }
  const shown = steps ? all_steps : all_steps.slice(-lastSteps);
  return [
    ...runLines(run, sourceLines(run.code, project)),
    ...(shown.length > 0 ? ["", steps ? "steps:" : "last steps:", ...stepLines(shown)] : []),
    ...(saved ? ["", ...differenceLines(saved, run)] : []),
  ];
}

/** Percents of gas that a run uses more than a saved one. */
function moreGas(saved: Run, run: DebugRunRecord): number {
  const [before, now] = [Number(saved.gas?.used ?? 0), Number(run.gas?.used ?? 0)];
  return before === 0 ? (now === 0 ? 0 : Number.POSITIVE_INFINITY) : (100 * (now - before)) / before;
}

function savedRun(path: string): Run {
  try {
    const run = JSON.parse(readFileSync(path, "utf8"));
    if (typeof run?.run === "string" && (run.gas === null || /^\d+$/.test(run.gas?.used))) return run;
  } catch (error) {
    throw new SetupError(`${path} cannot be read: ${(error as Error).message}`);
  }
  throw new SetupError(`${path} is no run: save one by tonwire debug <hash> --json > ${path}`);
}

function hashOf(text: string): string {
  if (!readHash(text)) throw new InvalidArgumentError("Allowed: a 256-bit hash in hex, base64 or base64url.");
  return text;
}

function percentOf(text: string): number {
  const value = Number(/^(\d{1,6}(?:\.\d{1,6})?)%?$/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(value)) throw new InvalidArgumentError("Allowed: a percentage, such as 2%.");
  return value;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError("Allowed: a port, 0 to 65535.");
  return port;
}
