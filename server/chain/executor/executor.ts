import type { Cell } from "../../../shared/ton/cells/cell.js";
import type {
  TickTockRequest,
  TransactionRequest,
  TransactionResult,
} from "../../../shared/ton/run/account-request.js";
import type { MethodRequest, MethodResult } from "../../../shared/ton/run/method-request.js";
import {
  accountCall,
  CellTexts,
  type EmulatorCall,
  type EmulatorOutput,
  methodCall,
  methodResult,
  transactionResult,
} from "./calls.js";
import { EmulatorHost } from "./patches/emulator-host.js";
import { type EmulatorSource, emulatorSource } from "./patches/emulator-source.js";

/**
 * Runs transactions and get-methods synchronously in the calling thread: usually 0.2 to 1 ms, much longer for a get-method
 * that burns all its gas. Requests are independent of each other. Throws an ExecutorError if a request cannot be run;
 * after "crashed" the next request runs normally. Throws a StackError if a get-method's result exceeds the limits of the
 * stack codec.
 */
export class Executor {
  readonly #host: EmulatorHost;
  readonly #texts = new CellTexts();

  private constructor(host: EmulatorHost) {
    this.#host = host;
  }

  /** `wasm`: path of a build of the emulator. Default: the one of the package. */
  static async create(wasm?: string): Promise<Executor> {
    return Executor.of(await emulatorSource(wasm));
  }

  static async of(source: EmulatorSource): Promise<Executor> {
    return new Executor(await EmulatorHost.create(source));
  }

  /** Runs an internal or external message on its account. */
  runTransaction(request: TransactionRequest): TransactionResult {
    return transactionResult(this.#execute(accountCall(request, this.#texts), request.config));
  }

  /** Runs the tick (first in its block) or tock (last) transaction of a special account. */
  runTickTock(request: TickTockRequest): TransactionResult {
    return transactionResult(this.#execute(accountCall(request, this.#texts), request.config));
  }

  runMethod(request: MethodRequest): MethodResult {
    return methodResult(this.#execute(methodCall(request, this.#texts), request.config));
  }

  #execute(call: EmulatorCall, config: Cell): EmulatorOutput {
    return this.#host.execute(call, () => this.#texts.ofConfig(config));
  }
}
