import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import type { Measured, MethodRequest, MethodResult } from "../../../shared/ton/run/method-request.js";
import { loadStack } from "../../../shared/ton/tvm/load-stack.js";
import { StackError, type StackValue, stackCellDepth } from "../../../shared/ton/tvm/stack.js";
import { stackBoc, storeStackValue } from "../../../shared/ton/tvm/store-stack.js";
import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from "../../../shared/values/bytes.js";
import { emulatorScript, type TvmOptions } from "./emulator-script.js";
import { Tvm } from "./tvm.js";
import { TvmError } from "./tvm-error.js";

/** As services have it by default. */
const defaultGas = 4_000_000;
/** After so long, runs let the page do other work. */
const sliceMs = 30;
/** Texts that the emulator gives for stacks beyond its limits. */
const tooLarge = /serialize stack/;

/** Runs contracts in this thread, by an emulator that is loaded for the first one. */
export class RunPool {
  readonly #options: TvmOptions;
  readonly #texts = new WeakMap<Cell | StackValue, string>();
  #loading: Promise<Tvm> | undefined;
  /** Runs take turns. */
  #turn: Promise<unknown> = Promise.resolve();
  #spentMs = 0;

  constructor(options: TvmOptions) {
    this.#options = options;
  }

  runMethod(request: MethodRequest): Promise<Measured<MethodResult>> {
    return this.inTurn((tvm) => this.#run(tvm, request));
  }

  /** Runs something on the emulator, after the runs before it. */
  async inTurn<T>(run: (tvm: Tvm) => Promise<T>): Promise<T> {
    const tvm = await this.#load();
    const result = this.#turn.then(async () => {
      const start = performance.now();
      try {
        return await run(tvm);
      } finally {
        this.#spentMs += performance.now() - start;
      }
    });
    this.#turn = result.then(
      () => this.#rest(),
      // The caller gets the error.
      () => this.#rest(),
    );
    return result;
  }

  #load(): Promise<Tvm> {
    if (!this.#loading) {
      const { wasm, script } = this.#options;
      const loading = emulatorScript(script).then((ready) => Tvm.load({ wasm, script: ready }));
      this.#loading = loading;
      loading.catch(() => {
        // The caller gets the error; the next one tries again.
        if (this.#loading === loading) this.#loading = undefined;
      });
    }
    return this.#loading;
  }

  async #rest(): Promise<void> {
    if (this.#spentMs < sliceMs) return;
    this.#spentMs = 0;
    await new Promise((resolve) => setTimeout(resolve));
  }

  async #run(tvm: Tvm, request: MethodRequest): Promise<Measured<MethodResult>> {
    const { methodId, stack, gasLimit = this.#options.gasLimit ?? defaultGas } = request;
    const contract = this.#contractOf(request);
    const start = performance.now();
    try {
      const run = { contract, methodId, stack: bytesToBase64(stackBoc(stack).boc), gasLimit };
      const result = await tvm.runMethod(run);
      const missing = result.missingLibrary;
      const cpuMs = performance.now() - start;
      return {
        exitCode: result.exitCode,
        gasUsed: result.gasUsed,
        stack: loadStack(parseBocRoot(base64ToBytes(result.stack)!, { depth: stackCellDepth })),
        vmLog: "",
        missingLibrary: missing === undefined ? undefined : hexToBytes(missing),
        cpuMs,
      };
    } catch (error) {
      if (error instanceof TvmError && error.reason === "refused" && tooLarge.test(error.message))
        throw new StackError("size", error.message);
      throw error;
    }
  }

  #contractOf(request: MethodRequest) {
    const { code, data, config, libraries, previousBlocks } = request;
    return {
      code: this.textOf(code),
      data: this.textOf(data),
      config: this.textOf(config),
      libraries: libraries && this.textOf(libraries),
      previousBlocks: previousBlocks && this.valueText(previousBlocks),
      address: request.address.toRaw(),
      balance: request.balance,
      extraCurrencies: request.extraCurrencies,
      now: request.now,
    };
  }

  /** A cell in base64. Throws a ProofError if a part of it is pruned. */
  textOf(cell: Cell): string {
    const known = this.#texts.get(cell);
    if (known !== undefined) return known;
    // The emulator breaks down on cells that do not parse.
    if (cell.levelMask !== 0)
      throw new ProofError("a part of the contract or of its surroundings is pruned", {
        claimed: bytesToHex(cell.hash()),
      });
    const text = bytesToBase64(serializeBoc(cell, { crc32: false }));
    this.#texts.set(cell, text);
    return text;
  }

  /** A value of the stack in base64; it must not be changed afterwards. */
  valueText(value: StackValue): string {
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const text = bytesToBase64(serializeBoc(storeStackValue(value), { crc32: false }));
    this.#texts.set(value, text);
    return text;
  }
}
