import { proxyTonMasters } from "../../../../server/indexer/actions/families/jettons.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, addressOf, bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";

export const alice = account("alice");
export const router = account("router");
export const pool = account("pool");
export const usd = account("usd");
export const eur = account("eur");
export const [proxy] = [...proxyTonMasters] as [string];
/** The wallets of the router. */
export const usdWallet = walletOf(router, usd);
export const eurWallet = walletOf(router, eur);
export const tonWallet = walletOf(router, proxy);
export const known = walletsOf([alice, router], [usd, eur, proxy]);

type Payment = {
  exitCode?: number;
  first: readonly [wallet: string, amount: bigint];
  second: readonly [wallet: string, amount: bigint];
};

/** A pool's payment order to the router. */
export function payTo(
  { exitCode = 201, first, second }: Payment,
  sends: readonly MadeMessage[],
): MadeMessage {
  const coins = beginCell()
    .storeCoins(first[1])
    .storeAddress(addressOf(first[0]))
    .storeCoins(second[1])
    .storeAddress(addressOf(second[0]));
  const body = bodyWith(0xa1daa96d)
    .storeAddress(addressOf(alice))
    .storeAddress(addressOf(alice))
    .storeUint(exitCode, 32)
    .storeUint(0, 64)
    .storeMaybeRef(coins.endCell())
    .storeMaybeRef(undefined)
    .endCell();
  return { to: router, body, sends };
}

/** Bounds of a position. */
export const ticks = beginCell().storeInt(-60, 24).storeInt(120, 24);
