import { describe, expect, it } from "vitest";
import { interfacesOf } from "../../server/contracts/interfaces.js";
import type { CodeBook } from "../../shared/schema/v3/records.js";
import { describeStoryReads, type Transaction } from "../helpers/stories/describe-story.js";

/** What answers with these codes have. */
function expectedBook(hashes: readonly (string | null | undefined)[]): CodeBook | undefined {
  const known = [...new Set(hashes)].flatMap((hash) => {
    const interfaces = hash ? interfacesOf(hash, null) : [];
    return hash && interfaces.length > 0 ? [[hash, { interfaces }] as const] : [];
  });
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

const codesOf = (transactions: readonly Transaction[]) =>
  transactions.flatMap(({ account_state_before: before, account_state_after: after }) => [
    before.code_hash,
    after.code_hash,
  ]);

describeStoryReads((story) => {
  const encoded = encodeURIComponent;

  describe("The codes of an answer", () => {
    it.each(["limit=1000", "limit=5", "limit=20&sort=asc"])(
      "are those of its transactions: %s",
      async (query) => {
        const { transactions, code_book } = await story.ask("transactions", query);
        expect(code_book).toEqual(expectedBook(codesOf(transactions)));
        if (transactions.length > 5)
          expect(Object.values(code_book!).flatMap(({ interfaces }) => interfaces)).toContain("wallet_v4r2");
      },
    );

    it("are those before and after a deployment", async () => {
      const deployment = story.all.find(
        ({ account_state_before: before, account_state_after: after }) =>
          before.code_hash === null && expectedBook([after.code_hash]) !== undefined,
      )!;
      const { code_book } = await story.ask("transactions", `hash=${encoded(deployment.hash)}`);
      expect(Object.keys(code_book!)).toEqual([deployment.account_state_after.code_hash]);
    });

    it("are none where no code is known", async () => {
      const unknown = story.all.find((transaction) => expectedBook(codesOf([transaction])) === undefined)!;
      const answer = await story.ask("transactions", `hash=${encoded(unknown.hash)}`);
      expect(answer).not.toHaveProperty("code_book");
    });

    it("are those of other lists of transactions", async () => {
      const wanted = story.all.find(
        ({ in_msg, ...each }) => in_msg && expectedBook(codesOf([each as Transaction])),
      )!;
      const lists = [
        await story.ask("transactionsByMessage", `msg_hash=${encoded(wanted.in_msg!.hash)}`),
        await story.ask("transactionsByMasterchainBlock", `seqno=${wanted.mc_block_seqno}`),
      ];
      for (const { transactions, code_book } of lists) {
        expect(code_book).toEqual(expectedBook(codesOf(transactions)));
        expect(code_book).toBeDefined();
      }
    });

    it.each(["", "&include_actions=true"])("are those of traces, not of events%s", async (more) => {
      const { traces, code_book } = await story.ask("traces", `limit=20${more}`);
      const transactions = traces.flatMap((trace) => Object.values(trace.transactions ?? {}));
      expect(code_book).toEqual(expectedBook(codesOf(transactions)));
      expect(code_book).toBeDefined();
      expect(await story.ask("events", "limit=20")).not.toHaveProperty("code_book");
    });

    it("are those of accounts", async () => {
      const accounts = [...new Set(story.all.map(({ account }) => account))];
      const { accounts: states, code_book } = await story.ask("accountStates", `address=${accounts.join()}`);
      expect(code_book).toEqual(expectedBook(states.map(({ code_hash }) => code_hash)));
      for (const { code_hash, interfaces } of states)
        if (code_book![code_hash ?? ""]) expect(code_book![code_hash!]).toEqual({ interfaces });
      const unknown = states.find(({ code_hash }) => expectedBook([code_hash]) === undefined)!;
      expect(await story.ask("accountStates", `address=${unknown.address}`)).not.toHaveProperty("code_book");
    });
  });
});
