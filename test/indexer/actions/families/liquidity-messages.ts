import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { jettonTransfer } from "../../../helpers/index/made-jettons.js";
import { bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, fieldsWith, maybe, none } from "../../../helpers/made-cells.js";

/** A message of which nothing but the opcode is read. */
export function call(to: string, opcode: number, sends: readonly MadeMessage[] = []): MadeMessage {
  return { to, body: bodyOf(opcode), sends };
}

type Jettons = { from: string; to: string; master: string; amount: bigint; payload?: Cell };

/** Jettons with a notification to their receiver that has the sender and the request. */
export function jettonsFor(jettons: Jettons, sends: readonly MadeMessage[]): MadeMessage {
  const request = jettonTransfer(jettons);
  const [received] = request.sends!;
  return { ...request, sends: [{ ...received!, sends: [notified(jettons, sends)] }] };
}

/** The notification to a receiver of jettons. */
export function notified(
  { from, to, amount, payload }: Omit<Jettons, "master">,
  sends: readonly MadeMessage[],
): MadeMessage {
  const body = bodyOf(0x7362d09c, amount, from, maybe(payload));
  return { to, body, sends };
}

/** Liquidity tokens that a wallet gets. */
export function minted(to: string, amount: bigint, sends: readonly MadeMessage[] = []): MadeMessage {
  const body = bodyOf(0x178d4519, amount, none, none, 0n, false);
  return { to, body, sends };
}

/** The request to burn liquidity tokens. */
export function burnt(wallet: string, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  const body = fieldsWith(bodyWith(0x595f07bc), amount, none, false);
  return { to: wallet, body: body.endCell(), sends };
}
