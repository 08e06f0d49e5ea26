import type { JettonWalletRecord } from "../../../store/queries/tokens/jettons.js";
import type { Page } from "../../../store/sql/where.js";

type Holding = Pick<JettonWalletRecord, "address" | "owner" | "balance">;

/** A page of the wallets that hold a jetton; `supply` is unknown for a jetton that is not in the index. */
export function presentHolders(wallets: readonly Holding[], supply: string | undefined, page: Page) {
  const endsHere = wallets.length < page.limit && (wallets.length > 0 || page.offset === 0);
  return {
    jetton_holders: wallets.map(({ address, owner, balance }) => ({
      owner,
      jetton_wallet: address,
      balance,
      share: supply === undefined ? null : shareOf(BigInt(balance), BigInt(supply)),
    })),
    total_supply: supply ?? null,
    ...(endsHere && { holders_count: page.offset + wallets.length }),
  };
}

const digits = 9;

/** A decimal that is rounded down. A jetton decides itself on its balances, so the share may exceed 1. */
export function shareOf(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null;
  const scaled = ((part * 10n ** BigInt(digits)) / whole).toString().padStart(digits + 1, "0");
  return `${scaled.slice(0, -digits)}.${scaled.slice(-digits)}`;
}
