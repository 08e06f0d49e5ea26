import { describe, expect, it } from "vitest";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { sized } from "../helpers/effort.js";
import { describeStoryReads, type Transaction } from "../helpers/stories/describe-story.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const { ann, ben, cleo } = participants;
const { acorn, devDollar } = jettonsOf(participants);

/** The newest transaction of each block or day. */
function lastOfEach(transactions: readonly Transaction[], interval: "block" | "day"): Transaction[] {
  const found = new Map<string, Transaction>();
  for (const each of transactions) {
    const { block_ref, now } = each;
    const period = interval === "day" ? String(Math.floor(now / 86_400)) : JSON.stringify(block_ref);
    if (!found.has(period)) found.set(period, each);
  }
  return [...found.values()];
}

const pointOf = ({ now, lt, account_state_after, block_ref, mc_block_seqno }: Transaction) => ({
  utime: now,
  lt,
  balance: account_state_after!.balance,
  block_ref,
  mc_block_seqno,
});

describeStoryReads((story) => {
  const historyOf = (query: string) => story.ask("account/balanceHistory", query);
  /** All pages of a history. */
  const allPages = async (query: string, limit: number) => {
    const points = [];
    for (let end = ""; ; ) {
      const page = await historyOf(`${query}&limit=${limit}${end}`);
      expect(page.history.length).toBeLessThanOrEqual(limit);
      points.push(...page.history);
      if (page.next_end_lt === null) return points;
      expect(page.history).toHaveLength(limit);
      end = `&end_lt=${page.next_end_lt}`;
    }
  };
  const transactionsOf = (address: string) => story.all.filter(({ account }) => account === address);
  const busiest = () => {
    const counts = new Map<string, number>();
    for (const { account } of story.all) counts.set(account, (counts.get(account) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, sized(2, 6));
  };

  describe("v3.account.balanceHistory", () => {
    it.each(["block", "day"] as const)("has the balance at the end of each %s", async (interval) => {
      for (const [account] of busiest()) {
        const expected = lastOfEach(transactionsOf(account), interval).map(pointOf);
        expect(expected.length).toBeGreaterThan(0);
        const answer = await historyOf(`address=${account}&interval=${interval}&limit=1000`);
        expect(answer.history).toEqual(expected);
        expect([answer.next_end_lt, answer.jetton_wallet, answer.known_since_lt]).toEqual([null, null, null]);
        expect(await allPages(`address=${account}&interval=${interval}`, 2)).toEqual(expected);
      }
    });

    it("takes windows of logical time and of unix time, with both ends", async () => {
      const own = transactionsOf(ann.address.toRawUpper());
      const inner = own.slice(2, -2);
      const [last, first] = [inner[0]!, inner.at(-1)!];
      const byLt = await historyOf(
        `address=${ann.address}&start_lt=${first.lt}&end_lt=${last.lt}&limit=1000`,
      );
      expect(byLt.history).toEqual(lastOfEach(inner, "block").map(pointOf));
      const within = own.filter(({ now }) => now >= first.now && now <= last.now);
      for (const interval of ["block", "day"] as const) {
        const times = `start_utime=${first.now}&end_utime=${last.now}&interval=${interval}&limit=1000`;
        const byTime = await historyOf(`address=${ann.address}&${times}`);
        expect(byTime.history).toEqual(lastOfEach(within, interval).map(pointOf));
      }
      const none = await historyOf(`address=${ann.address}&end_utime=1`);
      expect(none.history).toEqual([]);
    });

    it("takes every logical time that fits 64 bits", async () => {
      for (const lt of [2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]) {
        expect(await historyOf(`address=${ann.address}&start_lt=${lt}`)).toMatchObject({ history: [] });
        expect(await historyOf(`address=${ann.address}&end_lt=${lt}`)).toEqual(
          await historyOf(`address=${ann.address}`),
        );
      }
    });

    it("reckons the balances of a jetton from the first transaction of its wallet on", async () => {
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=1000");
      let changes = 0;
      for (const jetton of [acorn, devDollar]) {
        const master = jetton.address.toRawUpper();
        for (const wallet of jetton_wallets.filter((each) => each.jetton === master)) {
          const answer = await historyOf(`address=${wallet.owner}&jetton=${master}&limit=1000`);
          expect([wallet.address, answer.jetton_wallet, answer.known_since_lt]).toEqual([
            wallet.address,
            wallet.address,
            null,
          ]);
          const expected = lastOfEach(transactionsOf(wallet.address), "block");
          expect(answer.history.map(({ lt }) => lt)).toEqual(expected.map(({ lt }) => lt));
          expect(answer.history[0]!.balance).toBe(wallet.balance);
          changes += new Set(answer.history.map(({ balance }) => balance)).size - 1;
        }
      }
      expect(changes).toBeGreaterThan(3);
    });

    it("knows the balance that a mint left, and pages", async () => {
      const query = `address=${cleo.address}&jetton=${acorn.address}`;
      const { history } = await historyOf(`${query}&limit=1000`);
      expect(BigInt(history.at(-1)!.balance)).toBeGreaterThan(0n);
      expect(await allPages(query, 1)).toEqual(history);
      const { metadata } = await historyOf(query);
      expect(metadata[acorn.address.toRawUpper()]!.token_info[0]!.symbol).toBe("ACORN");
    });

    it("has nothing of unknown accounts and jettons, and refuses other intervals", async () => {
      const nobody = `0:${"12".repeat(32)}`;
      for (const query of [`address=${nobody}`, `address=${nobody}&jetton=${acorn.address}`])
        expect((await historyOf(query)).history).toEqual([]);
      for (const query of ["", "interval=week", "start_utime=5&end_utime=4", "limit=1001"]) {
        const path = `/api/v3/account/balanceHistory?address=${query === "" ? "" : ann.address}&${query}`;
        expect([query, (await story.app.ask(path)).status]).toEqual([query, 422]);
      }
    });
  });

  describe("v3.account.diff", () => {
    const diffOf = (query: string) => story.ask("account/diff", query);

    it("is the difference of the balances at both ends", async () => {
      for (const [account] of busiest()) {
        const own = transactionsOf(account);
        const ends = lastOfEach(own, "block");
        const [end, start] = [ends[0]!, ends[Math.floor(ends.length / 2)]!];
        const answer = await diffOf(`address=${account}&start_lt=${start.lt}&end_lt=${end.lt}`);
        const [after, before] = [end, start].map((each) => each.account_state_after!.balance);
        expect([answer.balance_before, answer.balance_after]).toEqual([before, after]);
        expect(answer.change).toBe(String(BigInt(after!) - BigInt(before!)));
        const sinceBegin = await diffOf(`address=${account}&start_utime=1`);
        // States before the first block are not stored.
        const { orig_status, account_state_before } = own.at(-1)!;
        expect(sinceBegin.balance_before).toBe(
          orig_status === "nonexist" ? "0" : (account_state_before?.balance ?? null),
        );
        expect(sinceBegin.balance_after).toBe(end.account_state_after!.balance);
      }
    });

    it("does not know the balance between the transactions of a block, nor a difference from there", async () => {
      const between = story.all.find(
        (each) => each.account_state_after!.balance === null && each.end_status === "active",
      )!;
      const answer = await diffOf(`address=${between.account}&start_lt=${between.lt}`);
      expect([answer.balance_before, answer.change]).toEqual([null, null]);
      const { history } = await historyOf(`address=${between.account}&end_lt=${between.lt}&limit=1`);
      expect(history.every(({ lt }) => BigInt(lt) < BigInt(between.lt))).toBe(true);
    });

    it("has the changes of jettons, by transfers, burns and mints", async () => {
      for (const { address } of [ann, ben, cleo])
        for (const jetton of [acorn, devDollar]) {
          const named = `address=${address}&jetton=${jetton.address}`;
          const { history } = await story.ask("account/balanceHistory", `${named}&limit=1000`);
          if (history.length === 0) continue;
          for (const [at, { lt, balance }] of history.entries()) {
            const { jettons, has_all_jettons } = await diffOf(`${named}&start_lt=${lt}`);
            const change = String(BigInt(history[0]!.balance) - BigInt(balance));
            expect([at, jettons.map((each) => each.change), has_all_jettons]).toEqual([at, [change], true]);
          }
          const { jettons } = await diffOf(`${named}&start_utime=1`);
          expect(jettons[0]!.change).toBe(history[0]!.balance);
        }
    });

    it("finds the jettons that an account moved", async () => {
      const { jetton_transfers } = await story.ask(
        "jetton/transfers",
        `owner_address=${ben.address}&limit=100`,
      );
      const moved = new Set(jetton_transfers.map(({ jetton_master }) => jetton_master));
      expect(moved.size).toBeGreaterThan(0);
      const { jettons } = await diffOf(`address=${ben.address}&start_utime=1`);
      expect(jettons.map(({ jetton }) => jetton)).toEqual(expect.arrayContaining([...moved]));
    });

    it("refuses calls without a start, or with two", async () => {
      for (const query of ["", "&start_utime=1&start_lt=1", "&start_utime=1&end_utime=1&end_lt=1"]) {
        const { status } = await story.app.ask(`/api/v3/account/diff?address=${ann.address}${query}`);
        expect([query, status]).toEqual([query, 422]);
      }
      const unknown = await diffOf(`address=0:${"12".repeat(32)}&start_utime=1`);
      expect([unknown.change, unknown.jettons]).toEqual(["0", []]);
    });
  });
});
