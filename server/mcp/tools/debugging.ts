import { z } from "zod";
import type { DebugRegisters } from "../../../shared/schema/v3/debug-values.js";
import { hash } from "../../../shared/schema/v3/params.js";
import { methodTool } from "../method-tool.js";
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
    "Use it after explain_transaction, with the hash of the transaction that failed; debug_step shows stack, registers and variables at a step of the `run`.",
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
    include: ["source"],
  })) as Members;
  return (steps as Members[]).map(({ op: _, args: __, depth: ___, ...step }) => step);
}

function changesIn({ removed, added, ...hashes }: Members): Members {
  const cut = (cells: unknown) => (cells as unknown[]).slice(0, shownCells);
  return { ...hashes, removed: cut(removed), added: cut(added) };
}

const debugStep: Tool = {
  ...methodTool("v3.debug.state", {
    params: ["run", "step"],
    guide:
      "Use it for what the contract had at a step of debug_transaction: `stack` is that before it, bottom to top.",
    facts: ({ cells: _, registers, ...facts }) => ({
      ...facts,
      registers: withoutBlocks(registers as DebugRegisters),
    }),
  }),
  name: "debug_step",
  title: "Debug step",
};

/** The registers without the list of earlier blocks, which is long. */
function withoutBlocks({ parameters, ...registers }: DebugRegisters): DebugRegisters {
  const shown = parameters?.filter(({ name }) => name !== "prev_blocks_info");
  return { ...registers, ...(shown && { parameters: shown }) };
}

export const debugTools: readonly Tool[] = [debugTransaction, debugStep];
