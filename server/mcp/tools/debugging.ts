import { z } from "zod";
import { hash, int32 } from "../../../shared/schema/v3/params.js";
import { paramsOf } from "../definitions.js";
import { described } from "../method-tool.js";
import type { Session } from "../session.js";
import type { Tool } from "../tool.js";

type Members = Readonly<Record<string, unknown>>;

const shownSteps = 20;
const shownInstructions = 8;
/** Cells that a contract removed or added. */
const shownCells = 8;

const debugTransaction: Tool = {
  name: "debug_transaction",
  title: "Debug transaction",
  description:
    "Why a contract did what it did: runs one transaction again and shows how it ended, the last steps of the machine, the dearest instructions, " +
    "the actions and what changed in the contract's storage. `proof` says whether the run is the chain's: `exact` is. " +
    "Use it after explain_transaction, with the hash of the transaction that failed; debug_step shows the stack at a step of the `run`.",
  methods: ["v3.debug.transaction", "v3.debug.steps"],
  input: z.object({ hash: hash.describe("Hash of the transaction, in hex or base64.") }),
  isList: false,
  changes: false,
  async run(args, session) {
    const run = (await session.call("v3.debug.transaction", { hash: args["hash"] })) as Members;
    const { proof, gas, storage, block: _, first_step: __, now: ___, ...facts } = run;
    const { level, differences } = proof as Members;
    const { by_instruction, ...ofGas } = (gas ?? {}) as { by_instruction?: unknown[] };
    return {
      facts: {
        ...facts,
        proof: { level, differences },
        gas: gas && { ...ofGas, dearest: by_instruction?.slice(0, shownInstructions) },
        storage: changesIn(storage as Members),
        last_steps: await lastSteps(String(run["run"]), session),
      },
    };
  },
};

async function lastSteps(run: string, session: Session): Promise<unknown> {
  const { steps } = (await session.call("v3.debug.steps", {
    run,
    backward: true,
    limit: shownSteps,
  })) as Members;
  return (steps as Members[]).map(({ op: _, args: __, depth: ___, ...step }) => step);
}

function changesIn({ removed, added, ...hashes }: Members): Members {
  const cut = (cells: unknown) => (cells as unknown[]).slice(0, shownCells);
  return { ...hashes, removed: cut(removed), added: cut(added) };
}

const debugStep: Tool = {
  name: "debug_step",
  title: "Debug step",
  description: described(
    "v3.debug.steps",
    "Use it for what the contract had on its stack at a step of debug_transaction: `stack` is that before it, bottom to top, `pops` and `pushes` are what it took and left.",
  ),
  methods: ["v3.debug.steps"],
  input: z.object({
    ...paramsOf("v3.debug.steps", ["run"]),
    step: int32.describe("Number of the step, `n`."),
  }),
  isList: false,
  changes: false,
  async run({ run, step }, session) {
    const asked = { run, from: step, limit: 1, include: ["stack", "full_stack"] };
    const { steps, ...facts } = (await session.call("v3.debug.steps", asked)) as { steps: unknown[] };
    return { facts: { ...facts, step: steps[0] ?? null } };
  },
};

export const debugTools: readonly Tool[] = [debugTransaction, debugStep];
