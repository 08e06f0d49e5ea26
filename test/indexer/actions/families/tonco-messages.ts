import { proxyTonMasters } from "../../../../server/indexer/actions/families/jettons.js";
import { walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, fieldsWith, maybe } from "../../../helpers/made-cells.js";

export const [alice, router, pool, usd, eur] = accounts("alice, router, pool, usd, eur");
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
  const coins = fieldsWith(first[1], first[0], second[1], second[0]);
  const body = bodyOf(0xa1daa96d, alice, alice, [exitCode, 32], [0, 64], maybe(coins.endCell()), false);
  return { to: router, body, sends };
}

/** Bounds of a position. */
export const ticks = fieldsWith([-60, 24], [120, 24]);
