import {
  accountCall,
  CellTexts,
  type EmulatorOutput,
  methodCall,
} from "../../../../server/chain/executor/calls.js";
import type { CompiledEmulator } from "../../../../server/chain/executor/emulator/emscripten.js";
import type { EmulatorInstance } from "../../../../server/chain/executor/emulator/emulator-instance.js";
import { LoadedConfigs } from "../../../../server/chain/executor/emulator/loaded-configs.js";
import { shippedVersion } from "../../../../server/chain/executor/patches/known-builds.js";
import {
  PatchedEmulator,
  type PatchedOptions,
} from "../../../../server/chain/executor/patches/patched-emulator.js";
import type { PatchName } from "../../../../server/chain/executor/patches/patches.js";
import { readBuild } from "../../../../server/chain/executor/patches/wasm-build.js";
import { patchEmulator } from "../../../../server/chain/executor/patches/wasm-patch.js";
import { webAssembly } from "../../../../server/os/web-assembly.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import type { TransactionRequest } from "../../../../shared/ton/run/account-request.js";
import type { MethodRequest } from "../../../../shared/ton/run/method-request.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import { account, testConfig, testTime } from "../../../helpers/chain/sample-chain.js";

/** The emulator with all patches but some. */
export class PatchedRuns {
  readonly #configs: LoadedConfigs;
  readonly #texts = new CellTexts();

  private constructor(instance: EmulatorInstance) {
    this.#configs = new LoadedConfigs(instance, shippedVersion);
  }

  static async without(without: readonly PatchName[], options?: PatchedOptions): Promise<PatchedRuns> {
    const { bytes, gluePath } = readBuild();
    const compiled = await webAssembly.compile<CompiledEmulator>(patchEmulator(bytes, without));
    return new PatchedRuns(await PatchedEmulator.create(compiled, gluePath, options));
  }

  method(request: MethodRequest): EmulatorOutput {
    return this.#configs.execute(methodCall(request, this.#texts), () => this.#texts.of(request.config));
  }

  transaction(request: TransactionRequest): EmulatorOutput {
    return this.#configs.execute(accountCall(request, this.#texts), () =>
      this.#texts.ofConfig(request.config),
    );
  }
}

/** A get-method of an account without data. */
export function methodOf(code: Cell, stack: StackValue[], gasLimit = 1_000_000): MethodRequest {
  return {
    ...{ config: testConfig, now: testTime, randSeed: new Uint8Array(32), address: account, balance: 5n },
    ...{ code, data: Cell.empty, methodId: 0, stack, gasLimit },
  };
}
