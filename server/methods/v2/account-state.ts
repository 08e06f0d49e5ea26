import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { presentAccountState } from "../../../shared/ton/present/account.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import { presentStateBoc } from "../../present/v2/state-boc.js";

export function accountStateOf(
  account: AccountSnapshot,
  runner: Pick<MethodRunner, "run">,
  call: LiteCall,
): ReturnType<typeof presentAccountState> {
  const unlocked = () => unlockedBalance(account, runner, call);
  return presentAccountState(account, { stateBoc: presentStateBoc, unlocked });
}

/** The amount the owner of a restricted wallet can spend now, read by its get-method `balance`. */
async function unlockedBalance(
  account: AccountSnapshot,
  runner: Pick<MethodRunner, "run">,
  call: LiteCall,
): Promise<bigint | undefined> {
  const { exitCode, stack } = await runner.run(account, { methodId: methodId("balance") }, call);
  const top = stack.at(-1);
  return exitCode === 0 && top?.type === "int" ? top.value : undefined;
}
