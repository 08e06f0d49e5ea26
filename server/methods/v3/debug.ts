import type { Call, Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { debugMethods } from "../../../shared/methods/v3/debug.js";
import type { ContractAbi } from "../../../shared/schema/v3/abi.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Abis } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
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
      const turns = paidTurns(call);
      // ABIs of a catalogue are read when their turn comes.
      const unread = abis[Symbol.iterator]();
      while (matches.length < maxMatches) {
        const match = await turns(() => {
          const { done, value } = unread.next();
          return done ? undefined : answer.add(value);
        });
        if (!match) break;
        matches.push(match);
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
