import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { AskedCode } from "../../../shared/ton/present/v3/executed-run.js";
import { executedRun } from "../../../shared/ton/present/v3/executed-run.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { computePhaseOf, type DebugRun } from "../../../shared/ton/run/debug-run.js";
import { RetraceError } from "../../../shared/ton/run/retrace/retrace-error.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { type MachineLog, readWholeLog } from "../../../shared/ton/tvm/machine-log.js";
import type { Address } from "../../../shared/values/address.js";
import { claimedText } from "../../../shared/values/claimed-text.js";
import type { Abis } from "../../artifacts/store.js";
import type { ChainEvents } from "../../chain/chain-events.js";
import { defaultGasLimit } from "../../chain/executor/calls.js";
import type { ExecutorThreads } from "../../chain/executor/threads/executor-threads.js";
import { paidTurns } from "../../chain/paid-turns.js";
import type { DebugRuns } from "../../chain/retrace/debug-runs.js";
import { runMessage } from "../../chain/retrace/emulated-runs.js";
import type { TraceEmulator } from "../../chain/run/trace-emulator.js";
import { RunSources } from "../../methods/v3/run-sources.js";
import { pause } from "../../os/pause.js";

/** Characters of a line. */
const maxLine = 4096;
const maxTransactions = 1000;

type PrintsParts = {
  artifacts(): Abis;
  /** Writes a line to the terminal. */
  write(line: string): void;
  /** The name that an account is known by; its address is raw, in upper case. */
  nameOf(account: string): Promise<string | undefined>;
};

type PrintingContract = Pick<AskedCode, "code" | "libraries"> & { address: Address };

/** Writes what contracts print: instructions such as DUMPSTK and STRDUMP, which compilers make of `debug.print` and the like. */
export class Prints {
  readonly #parts: PrintsParts;
  readonly #sources = new RunSources();

  constructor(parts: PrintsParts) {
    this.#parts = parts;
  }

  /** With the contract's name by its ABI, its known name or its address, and with the line if its source is known. */
  async show({ address, ...code }: PrintingContract, log: MachineLog, signal: AbortSignal): Promise<void> {
    if (log.prints.length === 0) return;
    const { artifacts, nameOf, write } = this.#parts;
    const account = address.toRawUpper();
    const sources = this.#sources.of({ ...code, account }, artifacts());
    const frames = sources.map && (await this.#sources.frames(log, sources, paidTurns({ signal })));
    const [abi] = sources.abis;
    const name = abi?.contract ?? (await nameOf(account)) ?? address.toFriendly();
    for (const { step, text } of log.prints) {
      const place = frames?.located(step)?.place;
      const at = place ? ` ${claimedText(place.file)}:${place.line}` : "";
      write(`[${claimedText(name)}${at}] ${claimedText(text, maxLine)}`);
    }
  }
}

/** An executor that shows what get-methods print. */
export function printingMethods(
  executor: Pick<ExecutorThreads, "runMethod">,
  prints: Pick<Prints, "show">,
): Pick<ExecutorThreads, "runMethod"> {
  return {
    async runMethod(request, options) {
      const result = await executor.runMethod({ ...request, log: "gas" }, options);
      const { address, code, libraries, gasLimit = defaultGasLimit } = request;
      const { signal = new AbortController().signal } = options ?? {};
      await prints.show({ address, code, libraries }, readWholeLog(result.vmLog, gasLimit), signal);
      // A run for debugging reads it.
      return request.log ? result : { ...result, vmLog: "" };
    },
  };
}

type WatchParts = {
  reader: Pick<ChainReader, "shards" | "blockTransactions" | "config" | "last">;
  debugRuns: Pick<DebugRuns, "transaction">;
  emulator: Pick<TraceEmulator, "emulate" | "on">;
  prints: Prints;
};

/** Shows what the transactions of a devnet's blocks print, and contracts that refuse a message, by running them again. */
export class PrintWatch {
  readonly #parts: WatchParts;
  readonly #closing = new AbortController();
  #shown: Promise<void> = Promise.resolve();

  constructor(events: Pick<ChainEvents, "onHead">, parts: WatchParts) {
    this.#parts = parts;
    events.onHead((id) => {
      this.#shown = this.#shown.then(() => this.#tryTo(() => this.#showBlocks(id)));
    });
  }

  /** Resolves when the blocks so far are shown, at the latest after `maxMs`. */
  async shown(maxMs: number): Promise<void> {
    const shown = new AbortController();
    void this.#shown.then(() => shown.abort());
    await pause(maxMs, shown.signal);
  }

  /** An external message that the devnet has refused. */
  refused(boc: Uint8Array): Promise<void> {
    return this.#tryTo(async (call) => {
      const { reader } = this.#parts;
      const message = {
        ...{ message: parseBocRoot(boc), ignoreSignatures: false, chain: undefined },
        ...{ master: reader.last, maxTransactions: 1, idOf: () => "" },
      };
      const { runs } = await runMessage(message, { withStacks: false }, this.#parts, call);
      for (const run of runs) if (run.kind === "refused") await this.#show(run);
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#shown;
  }

  async #tryTo(work: (call: { signal: AbortSignal }) => Promise<void>): Promise<void> {
    try {
      await work(this.#closing);
    } catch {
      // The chain was reverted meanwhile, or is closing, or the message cannot be read.
    }
  }

  async #showBlocks(id: BlockIdExt): Promise<void> {
    const { signal } = this.#closing;
    for (const block of [...(await this.#parts.reader.shards(id, { signal })), id])
      await this.#showBlock(block, signal);
  }

  async #showBlock(block: BlockIdExt, signal: AbortSignal): Promise<void> {
    const { reader, debugRuns } = this.#parts;
    const { transactions } = await reader.blockTransactions({ block, count: maxTransactions }, { signal });
    for (const { address, transaction } of transactions) {
      if (!computePhaseOf(transaction) || transaction.description.value.kind === "tickTock") continue;
      const place = { block, address, lt: transaction.lt };
      try {
        await this.#show(await debugRuns.transaction(place, { force: true, withStacks: false }, { signal }));
      } catch (error) {
        // One that cannot be run again is left out.
        if (!(error instanceof RetraceError)) throw error;
      }
    }
  }

  #show(run: DebugRun): Promise<void> {
    const { code, libraries } = executedRun(run);
    const contract = { address: run.address, code, libraries };
    return this.#parts.prints.show(contract, run.log, this.#closing.signal);
  }
}
