import type { Call, Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { debugMethods } from "../../../shared/methods/v3/debug.js";
import type { ContractAbi } from "../../../shared/schema/v3/abi.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Abis } from "../../artifacts/store.js";
import { AbiAnswer, abiKeysOf, presentSources } from "../../present/v3/abi.js";
import { readAccount } from "../v2/read-account.js";
import type { RunMethodDeps } from "../v2/run-method.js";

export type DebugDeps = Pick<RunMethodDeps, "reader"> & {
  artifacts: Abis;
};

/** ABIs of an answer. */
const maxMatches = 8;

export const debugHandlers: Handlers<typeof debugMethods, DebugDeps> = {
  debug: {
    async abi(params, deps, call) {
      const { artifacts } = deps;
      const { opcode, include_abi, include_sources } = params;
      const keys = opcode === undefined ? await keysIn(params, deps, call) : undefined;
      const abis = keys ? artifacts.abisOf(keys) : artifacts.guesses(Number(opcode));
      const answer = new AbiAnswer(include_abi);
      const matches: ContractAbi[] = [];
      let began = performance.now();
      // ABIs of a catalogue are read when their turn comes.
      for (const abi of abis) {
        matches.push(answer.add(abi));
        call.spent?.(performance.now() - began);
        call.signal.throwIfAborted();
        if (matches.length === maxMatches) break;
        began = performance.now();
      }
      if (!include_sources) return { matches };
      const known = keys?.codeHash === undefined ? [] : artifacts.sourcesOf(keys.codeHash);
      return { matches, sources: presentSources(known, maxMatches) };
    },
  },
};

type Asked = ParamsOf<typeof debugMethods.debug.abi>;
type Keys = Partial<ReturnType<typeof abiKeysOf>>;

async function keysIn(
  { code_hash, account }: Asked,
  { artifacts, reader }: DebugDeps,
  call: Call,
): Promise<Keys> {
  if (code_hash) return { codeHash: bytesToBase64(code_hash) };
  if (!account || artifacts.isEmpty) return {};
  return abiKeysOf(await readAccount(reader, reader.last, account, call));
}
