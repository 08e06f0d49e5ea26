import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { jettonTransfer } from "../../../helpers/index/made-jettons.js";
import { addressOf, bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";

/** A message of which nothing but the opcode is read. */
export function call(to: string, opcode: number, sends: readonly MadeMessage[] = []): MadeMessage {
  return { to, body: bodyWith(opcode).endCell(), sends };
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
  const body = bodyWith(0x7362d09c)
    .storeCoins(amount)
    .storeAddress(addressOf(from))
    .storeMaybeRef(payload)
    .endCell();
  return { to, body, sends };
}

/** Liquidity tokens that a wallet gets. */
export function minted(to: string, amount: bigint, sends: readonly MadeMessage[] = []): MadeMessage {
  const body = bodyWith(0x178d4519)
    .storeCoins(amount)
    .storeAddress(undefined)
    .storeAddress(undefined)
    .storeCoins(0n)
    .storeBit(false)
    .endCell();
  return { to, body, sends };
}

/** The request to burn liquidity tokens. */
export function burnt(wallet: string, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  const body = bodyWith(0x595f07bc).storeCoins(amount).storeAddress(undefined).storeMaybeRef(undefined);
  return { to: wallet, body: body.endCell(), sends };
}
