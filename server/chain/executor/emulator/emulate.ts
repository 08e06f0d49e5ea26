import type { EmulatorMemory } from "./emscripten.js";
import type { EmulatorAnswer, TransactionInput } from "./emulator-instance.js";

type Emulating = Pick<EmulatorMemory<"_emulate_with_emulator">, "callForJson">;

/** Runs a message on an account. `emulator`: its address in the instance. */
export function emulate(memory: Emulating, emulator: number, input: TransactionInput): EmulatorAnswer {
  const { libraries = 0, previousBlocks, account, message, params } = input;
  return memory.callForJson<EmulatorAnswer>(
    "_emulate_with_emulator",
    emulator,
    // A null pointer keeps the libraries.
    libraries,
    account,
    message,
    previousBlocks === undefined ? params : withPreviousBlocks(params, previousBlocks),
  );
}

/** Adds a member to a JSON document. Without it the emulator keeps the previous blocks that it has. */
function withPreviousBlocks(params: string, previousBlocks: string): string {
  return `{"prev_blocks_info":"${previousBlocks}",${params.slice(1)}`;
}
