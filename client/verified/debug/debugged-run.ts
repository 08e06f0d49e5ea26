import { rootsElsewhere } from "../../../shared/ton/debug/executed-roots.js";
import { RunCode } from "../../../shared/ton/debug/run-code.js";
import { presentDebugCode } from "../../../shared/ton/present/v3/debug-code.js";
import { presentTransactionRun } from "../../../shared/ton/present/v3/debug-run.js";
import { executedRun, libraryFinder } from "../../../shared/ton/present/v3/executed-run.js";
import {
  findSteps,
  framesOf,
  gasTreesOf,
  needsStackLog,
  type OpenedRun,
  presentGasParts,
  presentPrints,
  profileIn,
  readState,
  readSteps,
  searchNeedsStackLog,
  treeOf,
} from "../../../shared/ton/present/v3/read-run.js";
import { SearchFault } from "../../../shared/ton/present/v3/step-search.js";
import type { TransactionRun, Turns } from "../../../shared/ton/run/debug-run.js";
import { CodeCells } from "../../../shared/ton/tvm/code/code-cells.js";
import { emulatorBuild } from "../../../shared/values/emulator-build.js";
import { keptRead } from "../../../shared/values/shared-reads.js";
import { RpcError } from "../../errors.js";
import { profileOptions, searchOptions, stepNumber, stepsOptions } from "./run-params.js";
import type {
  DebuggedTransaction,
  FindParams,
  ProfileParams,
  ProvenRun,
  StateParams,
  StepsParams,
} from "./types.js";

/** Runs the transaction, with the stack before each step or without. */
type RunAgain = (withStacks: boolean) => Promise<TransactionRun>;

/** A transaction that was run again. The run with stacks, which takes several times as long, is made when it is needed. */
export class DebuggedRun implements DebuggedTransaction {
  readonly run: ProvenRun;
  readonly #plain: OpenedRun;
  readonly #withStacks: () => Promise<OpenedRun>;

  private constructor(run: ProvenRun, plain: OpenedRun, withStacks: () => Promise<OpenedRun>) {
    this.run = run;
    this.#plain = plain;
    this.#withStacks = withStacks;
  }

  static async of(runAgain: RunAgain, turns: Turns): Promise<DebuggedRun> {
    const run = await runAgain(false);
    const plain = opened(run, turns);
    return new DebuggedRun(
      await present(run, plain),
      plain,
      keptRead(async () => opened(await runAgain(true), turns)),
    );
  }

  async steps(params: StepsParams = {}) {
    const options = stepsOptions(params);
    const opened = needsStackLog(options.include) ? await this.#withStacks() : this.#plain;
    return { run: this.run.run, ...(await readSteps(opened, options)) };
  }

  async state({ step }: StateParams) {
    const opened = await this.#withStacks();
    const { first, end } = opened.log;
    const n = stepNumber(step);
    if (n < first || n >= end) throw new RpcError("absent", `the run has steps ${first} to ${end - 1}`);
    return { run: this.run.run, ...(await readState(opened, n)) };
  }

  async find(params: FindParams) {
    const search = searchOptions(params);
    const opened = searchNeedsStackLog(search) ? await this.#withStacks() : this.#plain;
    try {
      return { run: this.run.run, ...(await findSteps(opened, search)) };
    } catch (error) {
      throw error instanceof SearchFault ? new RpcError("invalid-params", error.message) : error;
    }
  }

  async profile(params: ProfileParams = {}) {
    const { format, by } = profileOptions(params);
    const { executed, log } = this.#plain;
    const { run: name } = this.run;
    const tree = await treeOf(by, [{ name, run: this.#plain }]);
    return {
      run: name,
      trace_id: null,
      total: tree.total,
      fixed: executed.isFixed,
      approximate: tree.isApproximate,
      ...profileIn(tree, format, { name, end: log.end }),
    };
  }

  async code() {
    const { executed, code } = this.#plain;
    return executed.code && this.run.code ? presentDebugCode(executed.code, { code }) : null;
  }
}

function opened(run: TransactionRun, turns: Turns): OpenedRun {
  const { log } = run;
  const executed = executedRun(run);
  const findLibrary = libraryFinder(executed);
  const own = executed.code ? [executed.code] : [];
  const cells = new CodeCells(own, findLibrary);
  const others = rootsElsewhere(log.cells, cells, () => executed.given);
  // Source maps and ABIs have no proof.
  const code = new RunCode(others.length > 0 ? new CodeCells([...own, ...others], findLibrary) : cells, []);
  const frames = keptRead(() => framesOf(log, code, turns));
  return { run, log, executed, code, turns, frames, words: { globals: [] } };
}

async function present(run: TransactionRun, opened: OpenedRun): Promise<ProvenRun> {
  const { gas, ...plain } = presentTransactionRun(run, emulatorBuild.version);
  const trees = await gasTreesOf(plain.run, opened);
  return {
    ...plain,
    gas: gas && { ...gas, ...presentGasParts(trees, false) },
    prints: presentPrints(opened.log, await opened.frames()),
  };
}
