import type { Call, Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { debugMethods } from "../../../shared/methods/v3/debug.js";
import type { ContractAbi } from "../../../shared/schema/v3/abi.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { ArtifactStore, ChosenAbi } from "../../artifacts/store.js";
import { AbiAnswer, abiKeysOf } from "../../present/v3/abi.js";
import { readAccount } from "../v2/read-account.js";
import type { RunMethodDeps } from "../v2/run-method.js";

export type DebugDeps = Pick<RunMethodDeps, "reader"> & {
  artifacts: Pick<ArtifactStore, "abisOf" | "guesses" | "isEmpty">;
};

/** ABIs of an answer. */
const maxMatches = 8;

export const debugHandlers: Handlers<typeof debugMethods, DebugDeps> = {
  debug: {
    async abi(params, deps, call) {
      const answer = new AbiAnswer(params.include_abi);
      const matches: ContractAbi[] = [];
      let began = performance.now();
      // ABIs of a catalogue are read when their turn comes.
      for (const abi of await abisFor(params, deps, call)) {
        matches.push(answer.add(abi));
        call.spent?.(performance.now() - began);
        call.signal.throwIfAborted();
        if (matches.length === maxMatches) break;
        began = performance.now();
      }
      return { matches };
    },
  },
};

type Asked = ParamsOf<typeof debugMethods.debug.abi>;

async function abisFor(
  { code_hash, account, opcode }: Asked,
  { artifacts, reader }: DebugDeps,
  call: Call,
): Promise<Iterable<ChosenAbi>> {
  if (opcode !== undefined) return artifacts.guesses(opcode);
  if (code_hash) return artifacts.abisOf({ codeHash: bytesToBase64(code_hash) });
  if (!account || artifacts.isEmpty) return [];
  return artifacts.abisOf(abiKeysOf(await readAccount(reader, reader.last, account, call)));
}
