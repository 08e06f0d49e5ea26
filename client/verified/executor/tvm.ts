import {
  compileEmulator,
  type EmulatorInstance,
  startEmulator,
  storeText,
  takeText,
} from "./emulator-files.js";
import type { EmulatorScript, EmulatorWasm } from "./emulator-script.js";
import { TvmError } from "./tvm-error.js";

/** A contract with all that its get-methods see. Cells are valid bags in base64, as a proof leaves them. */
type TvmContract = {
  code: string;
  data: string;
  /** `<workchain>:<64 hex>`. */
  address: string;
  balance: bigint;
  extraCurrencies?: ReadonlyMap<number, bigint> | undefined;
  /** Unix time in seconds. */
  now: number;
  /** The dictionary of the network's configuration. */
  config: string;
  /** The dictionary of libraries that the run can use. */
  libraries?: string | undefined;
  /** PrevBlocksInfo as a value of a stack. */
  previousBlocks?: string | undefined;
};

type TvmRun = {
  contract: TvmContract;
  methodId: number;
  /** The arguments, a VmStack in a bag. Default: none. */
  stack?: string;
  /** Default: 1,000,000. */
  gasLimit?: number;
};

type TvmResult = {
  exitCode: number;
  gasUsed: number;
  /** The stack left, a VmStack in a bag. */
  stack: string;
  /** Hash in hex of a library that the run needed and did not have. */
  missingLibrary: string | undefined;
};

type TvmFiles = { wasm: EmulatorWasm; script: EmulatorScript };

type Answer = { fail: true; message: string } | { fail?: false; output: Output };
type Output =
  | {
      success: true;
      stack: string;
      gas_used: string;
      vm_exit_code: number;
      missing_library: string | null;
    }
  | { success: false; error: string };

const emptyStack = "te6ccgEBAQEABQAABgAAAA==";
const noValue = "te6ccgEBAQEAAwAAAgA=";
const noSeed = "0".repeat(64);
const defaultGas = 1_000_000;

/**
 * Runs contracts in this thread, with TON's emulator. Gas limits a run, but some instructions take a hundred times as long
 * as others of equal gas: a page that must never stand still runs contracts that it does not trust in a worker.
 */
export class Tvm {
  readonly #module: WebAssembly.Module;
  readonly #script: EmulatorScript;
  /** Absent after a run that broke it. */
  #instance: EmulatorInstance | undefined;

  private constructor(module: WebAssembly.Module, script: EmulatorScript) {
    this.#module = module;
    this.#script = script;
  }

  /** Loads the emulator's files, from where the page serves them. Throws a TvmError if they are other ones. */
  static async load({ wasm, script }: TvmFiles): Promise<Tvm> {
    const tvm = new Tvm(await compileEmulator(wasm), script);
    tvm.#instance = await startEmulator(tvm.#module, script);
    return tvm;
  }

  /** Results do not depend on earlier runs. Throws a TvmError if there is none. */
  async runMethod({ contract, methodId, stack = emptyStack, gasLimit }: TvmRun): Promise<TvmResult> {
    checkBags(contract, stack);
    const params = paramsOf(contract, methodId, gasLimit ?? defaultGas);
    const answer = await this.use((instance) => runMethodOn(instance, [params, stack, contract.config]));
    if (answer.fail) throw new TvmError("refused", answer.message);
    const { output } = answer;
    if (!output.success) throw new TvmError("refused", output.error);
    return {
      exitCode: output.vm_exit_code,
      gasUsed: Number(output.gas_used),
      stack: output.stack,
      missingLibrary: output.missing_library ?? undefined,
    };
  }

  /** Calls functions of the emulator. Throws a TvmError if that breaks it; errors of this class pass unchanged. */
  async use<T>(work: (instance: EmulatorInstance) => T): Promise<T> {
    this.#instance ??= await startEmulator(this.#module, this.#script);
    try {
      return work(this.#instance);
    } catch (cause) {
      if (cause instanceof TvmError) throw cause;
      // An exception leaves C++ frames that are not unwound.
      this.#instance = undefined;
      throw new TvmError("broken", "the emulator broke down on this run", cause);
    }
  }
}

function runMethodOn(instance: EmulatorInstance, texts: readonly [string, string, string]): Answer {
  const { functions } = instance;
  const pointers = texts.map((text) => storeText(instance, text)) as [number, number, number];
  const text = takeText(instance, functions._run_get_method(...pointers));
  for (const pointer of pointers) functions._free(pointer);
  return JSON.parse(text) as Answer;
}

/** The first bytes of a bag of cells, in base64. The emulator takes other texts for empty cells. */
const bagStart = "te6c";

function checkBags({ code, data, config, libraries, previousBlocks }: TvmContract, stack: string): void {
  for (const [name, bag] of Object.entries({ code, data, config, libraries, previousBlocks, stack }))
    if (bag !== undefined && !bag.startsWith(bagStart))
      throw new TvmError("refused", `${name} is not a bag of cells in base64`);
}

function paramsOf(contract: TvmContract, methodId: number, gasLimit: number): string {
  const { code, data, address, balance, now, libraries, previousBlocks, extraCurrencies } = contract;
  const currencies = [...(extraCurrencies ?? [])].flatMap(([id, amount]) =>
    amount === 0n ? [] : [`${id}=${amount}`],
  );
  return JSON.stringify({
    method_id: methodId,
    ...{ code, data, address },
    verbosity: 0,
    libs: libraries ?? "",
    unixtime: now,
    balance: String(balance),
    rand_seed: noSeed,
    gas_limit: String(gasLimit),
    prev_blocks_info: previousBlocks ?? noValue,
    debug_enabled: false,
    ...(currencies.length > 0 && { extra_currencies: currencyMember(currencies.join(" ")) }),
  });
}

/** The emulator does not read several members, but one whose amount goes on with the other currencies, as `id=amount`. */
function currencyMember(text: string): Record<string, string> {
  const [id = ""] = text.split("=", 1);
  return { [id]: text.slice(id.length + 1) };
}
