import type { Handlers } from "../../../shared/methods/define.js";
import type { balanceMethods } from "../../../shared/methods/v3/balances.js";
import type { Address } from "../../../shared/values/address.js";
import { withExtras } from "../../present/v3/answer-extras.js";
import { lastOfPeriods, presentBalances } from "../../present/v3/balances/balance-history.js";
import { type Reckoned, reckonBalances, sumOfChanges } from "../../present/v3/balances/jetton-reckoning.js";
import { addressToBytes, rawAddressFromBytes, rawAddressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { balanceAt, readBalances } from "../../store/queries/accounts/balance-history.js";
import {
  type HeldJetton,
  type JettonStep,
  jettonWalletsOf,
  readSteps,
} from "../../store/queries/tokens/jetton-steps.js";
import { jettonBurnList, jettonTransferList } from "../../store/queries/tokens/jettons.js";
import { reads } from "../../store/reads/index-reads.js";
import type { TimeBounds } from "../../store/sql/where.js";
import { foundOf, type TokenDeps } from "./found-tokens.js";

/** Transactions of a wallet that its balances are reckoned by. */
const maxSteps = 1000;
const firstSteps = 100;
const maxStepsOfDiff = 250;
const maxEvents = 40;
const maxJettons = 20;

export const balanceHandlers: Handlers<typeof balanceMethods, TokenDeps> = {
  account: {
    async balanceHistory({ address, jetton, interval, limit, ...bounds }, deps, call) {
      const { index, book } = deps;
      if (jetton) await foundOf(deps, { owners: [address], masters: [jetton] }, call);
      return index.read(call, async (queries) => {
        const account = addressToBytes(address);
        const [wallet] = jetton ? await jettonWalletsOf(queries, account, [addressToBytes(jetton)]) : [];
        const rows = limit + 1;
        const { points, knownSince }: Reckoned = wallet
          ? await balancesOf(queries, wallet)
          : { points: [], knownSince: undefined };
        const found = jetton
          ? lastOfPeriods(points, interval, bounds)
          : await readBalances(queries, account, { ...bounds, interval, rows });
        const jetton_wallet = wallet ? rawAddressFromBytes(wallet.address) : null;
        const answer = {
          ...presentBalances(found, limit),
          jetton_wallet,
          known_since_lt: knownSince === undefined ? null : String(knownSince),
        };
        const shown = [address.toRawUpper(), jetton?.toRawUpper(), jetton_wallet];
        return withExtras(answer, shown, { queries, call, book });
      });
    },

    diff: ({ address, jetton, ...times }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const account = addressToBytes(address);
        const { start_utime, start_lt, end_utime, end_lt } = times;
        const before = await balanceAt(queries, account, { end_utime: start_utime, end_lt: start_lt });
        const after = await balanceAt(queries, account, { end_utime, end_lt });
        const bounds = changesWithin(times);
        const { masters, areAll } = jetton?.length
          ? { masters: jetton.map((each: Address) => each.toRawUpper()), areAll: true }
          : await movedJettons(queries, account, bounds);
        const jettons = await jettonDiffs(queries, account, { masters, bounds });
        const change = before === undefined || after === undefined ? undefined : after - before;
        const answer = {
          balance_before: textOf(before),
          balance_after: textOf(after),
          change: textOf(change),
          jettons,
          has_all_jettons: areAll,
        };
        const shown = [address.toRawUpper(), ...jettons.flatMap((each) => [each.jetton, each.jetton_wallet])];
        return withExtras(answer, shown, { queries, call, book });
      }),
  },
};

/** As the wallet was recognised: later transactions are not reckoned. The first ones may show that no others need to be read. */
async function balancesOf(queries: Queries, wallet: HeldJetton): Promise<Reckoned> {
  const steps: JettonStep[] = [];
  for (let rows = firstSteps, end_lt = wallet.last_transaction_lt; ; rows = maxSteps - steps.length) {
    const found = await readSteps(queries, wallet.address, { end_lt, rows });
    steps.push(...found);
    const last = steps.at(-1);
    if (!last) return { points: [], knownSince: wallet.last_transaction_lt };
    const reckoned = reckonBalances(steps, wallet);
    if (found.length < rows || steps.length === maxSteps || reckoned.points.length < steps.length)
      return reckoned;
    end_lt = last.lt - 1n;
  }
}

/** The start is not in the window of a difference. */
function changesWithin({ start_utime, start_lt, ...ends }: TimeBounds): TimeBounds {
  return {
    ...ends,
    ...(start_utime !== undefined && { start_utime: start_utime + 1 }),
    ...(start_lt !== undefined && { start_lt: start_lt + 1n }),
  };
}

/** The jettons of the newest transfers and burns of an account within bounds. */
async function movedJettons(
  queries: Queries,
  account: Uint8Array,
  bounds: TimeBounds,
): Promise<{ masters: string[]; areAll: boolean }> {
  const filter = { ...bounds, owners: [account], accounts: {} };
  const page = { sort: "desc", limit: maxEvents + 1, offset: 0 } as const;
  const transfers = await reads.listTokenEvents(queries, jettonTransferList, filter, page);
  const burns = await reads.listTokenEvents(queries, jettonBurnList, filter, page);
  const moved = [...transfers, ...burns].map(({ jetton_master }) => jetton_master);
  const masters = [...new Set(moved)].filter((master) => master !== "");
  const areAll = transfers.length <= maxEvents && burns.length <= maxEvents && masters.length <= maxJettons;
  return { masters: masters.slice(0, maxJettons), areAll };
}

async function jettonDiffs(
  queries: Queries,
  account: Uint8Array,
  { masters, bounds }: { masters: readonly string[]; bounds: TimeBounds },
) {
  const named = [...new Set(masters)];
  const wallets = await jettonWalletsOf(queries, account, named.map(rawAddressToBytes));
  const walletOf = new Map(wallets.map((wallet) => [rawAddressFromBytes(wallet.jetton), wallet]));
  const diffs = [];
  for (const jetton of named) {
    const wallet = walletOf.get(jetton);
    if (!wallet) continue;
    const steps = await readSteps(queries, wallet.address, { ...bounds, rows: maxStepsOfDiff + 1 });
    const sum = steps.length > maxStepsOfDiff ? undefined : sumOfChanges(steps, wallet.is_mintless);
    diffs.push({ jetton, jetton_wallet: rawAddressFromBytes(wallet.address), change: textOf(sum) });
  }
  return diffs;
}

function textOf(amount: bigint | undefined): string | null {
  return amount === undefined ? null : String(amount);
}
