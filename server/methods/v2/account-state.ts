import type { z } from "zod";
import type { accountState } from "../../../shared/schema/v2-accounts.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import { recognizeTonlibAccount } from "../../contracts/recognise/tonlib-account.js";
import {
  presentKnownAccount,
  presentOtherAccount,
  presentRestrictedWallet,
} from "../../present/v2/account.js";
import { presentPaymentChannel } from "../../present/v2/payment-channel.js";

/** The account state by contract type, and the revision of the code; 0 if tonlib does not know the code. */
type KnownState = { state: z.output<typeof accountState>; revision: number };

export async function accountStateOf(
  account: AccountSnapshot,
  runner: Pick<MethodRunner, "run">,
  call: LiteCall,
): Promise<KnownState> {
  const { code, data } = account;
  const known = code && data && recognizeTonlibAccount(code, data);
  const other = { state: presentOtherAccount(account), revision: 0 };
  if (!known) return other;
  const { revision } = known;
  if (known.kind === "pchan") return { state: presentPaymentChannel(known.channel), revision };
  if (known.kind !== "rwallet") return { state: presentKnownAccount(known), revision };
  const unlocked = await unlockedBalance(account, runner, call);
  return unlocked === undefined ? other : { state: presentRestrictedWallet(known, unlocked), revision };
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
