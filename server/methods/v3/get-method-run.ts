import type { Call } from "../../../shared/methods/define.js";
import type { StackArgument } from "../../../shared/schema/v3/stack.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { Abis } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { ServiceError } from "../../errors.js";
import { abiKeysOf, type MethodByAbi, methodByAbi, writeArguments } from "../../present/v3/abi.js";
import { requireBoc } from "../input/cells.js";
import type { RunSources } from "./run-sources.js";

type AskedMethod = {
  method: string;
  stack: readonly StackArgument[];
  args?: object | undefined;
  abi?: string | undefined;
};

/** A get-method of an account with its arguments. `found`: what an ABI says of it. */
type MethodRun = { methodId: number; stack: readonly StackValue[]; found?: MethodByAbi | undefined };

type AbiSource = { artifacts: Pick<Abis, "abisOf">; byAbi: boolean; runSources: Pick<RunSources, "given"> };

/**
 * The input of a get-method's run on an account. An ABI is looked for where arguments need one, or `byAbi` asks for it. The caller pays for reading it. Invalid
 * arguments are refused before the account is read, unless their types are in an ABI.
 */
export async function methodRunOn(
  { method, stack: given, args, abi }: AskedMethod,
  { artifacts, byAbi, runSources }: AbiSource,
  call: Call,
): Promise<(account: AccountSnapshot) => Promise<MethodRun>> {
  if (args && given.length > 0)
    throw new ServiceError("invalid-params", "only one of stack, args can be given", {
      data: { param: "args" },
    });
  const stack = given.map(argumentOf);
  if (!args && !byAbi) return async () => ({ methodId: numberOf(method), stack });
  const turns = paidTurns(call);
  const givenAbis = (await runSources.given.read({ abi }, turns))?.abis ?? [];
  return (account) =>
    turns(() => {
      const found = methodByAbi([...givenAbis, ...artifacts.abisOf(abiKeysOf(account))], method);
      const id = found?.method.id ?? numberOf(method);
      return { methodId: id, stack: args ? writeArguments(found, args, method) : stack, found };
    });
}

/** The id of a get-method given by name or number. */
function numberOf(method: string): number {
  const isNumber = /^(-?\d{1,9}|0x[0-9a-f]{1,8})$/i.test(method);
  return isNumber ? Number(method) | 0 : methodId(method);
}

export function argumentOf(arg: StackArgument): StackValue {
  if (arg.type === "num") return { type: "int", value: arg.value };
  return { type: arg.type, cell: requireBoc("stack", arg.boc) };
}
