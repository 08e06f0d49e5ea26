import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import {
  accountParams,
  noPreviousBlocks,
  resultOfOutput,
  type TransactionOutput,
  verbosity,
} from "../../../shared/ton/run/account-call.js";
import type {
  RunsAccounts,
  TickTockRequest,
  TransactionRequest,
  TransactionResult,
} from "../../../shared/ton/run/account-request.js";
import { readableConfig } from "../../../shared/ton/run/readable-config.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { emulatorBuild } from "../../../shared/values/emulator-build.js";
import { type EmulatorInstance, storeText, takeText } from "../executor/emulator-files.js";
import type { RunPool } from "../executor/run-pool.js";
import { TvmError } from "../executor/tvm-error.js";

type Answer = { fail: true; message: string } | { fail?: never; output: TransactionOutput };

/** Arguments of an emulator and of its run; cells are bags in base64. */
type AccountTexts = {
  config: string;
  verbosity: number;
  libraries: string | undefined;
  account: string;
  message: string;
  params: string;
};

const nullPointer = 0;

/** Runs transactions in this thread, with the emulator of get-methods. */
export class AccountRuns implements RunsAccounts {
  readonly #pool: RunPool;
  /** Configurations in the form that the emulator reads. */
  readonly #configs = new WeakMap<Cell, Cell>();

  constructor(pool: RunPool) {
    this.#pool = pool;
  }

  runTransaction(request: TransactionRequest): Promise<TransactionResult> {
    return this.#run(request, this.#pool.textOf(request.message));
  }

  runTickTock(request: TickTockRequest): Promise<TransactionResult> {
    return this.#run(request, "");
  }

  async #run(request: TransactionRequest | TickTockRequest, message: string): Promise<TransactionResult> {
    const { shardAccount, libraries, previousBlocks = noPreviousBlocks, log = "none" } = request;
    const blocks = this.#pool.valueText(previousBlocks);
    const texts: AccountTexts = {
      config: this.#pool.textOf(this.#readable(request.config)),
      verbosity: verbosity[log],
      libraries: libraries && this.#pool.textOf(libraries),
      account: this.#pool.textOf(shardAccount),
      message,
      params: `{"prev_blocks_info":"${blocks}",${accountParams(request).slice(1)}`,
    };
    const output = await this.#pool.inTurn((tvm) => tvm.use((instance) => emulate(instance, texts)));
    return resultOfOutput(output, "", cellOf);
  }

  #readable(config: Cell): Cell {
    const known = this.#configs.get(config) ?? readableConfig(config, emulatorBuild.version).root;
    this.#configs.set(config, known);
    return known;
  }
}

/** Each run has an emulator of its own, so that nothing of the runs before is left. */
function emulate(instance: EmulatorInstance, texts: AccountTexts): TransactionOutput {
  const { functions } = instance;
  const config = storeText(instance, texts.config);
  const emulator = functions._create_emulator(config, texts.verbosity);
  functions._free(config);
  if (emulator === nullPointer) throw new TvmError("refused", "the emulator cannot use the configuration");
  const libraries = texts.libraries === undefined ? nullPointer : storeText(instance, texts.libraries);
  const given = [texts.account, texts.message, texts.params].map((text) => storeText(instance, text));
  const [account, message, params] = given as [number, number, number];
  const pointer = functions._emulate_with_emulator(emulator, libraries, account, message, params);
  const answer = JSON.parse(takeText(instance, pointer)) as Answer;
  for (const each of [libraries, ...given]) functions._free(each);
  // One that refuses its parameters is freed by that.
  if (answer.fail) throw new TvmError("refused", answer.message);
  functions._destroy_emulator(emulator);
  return answer.output;
}

function cellOf(base64: string): Cell {
  return parseBocRoot(base64ToBytes(base64)!);
}
