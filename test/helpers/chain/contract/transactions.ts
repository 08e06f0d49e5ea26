import { describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { AccountId } from "../../../../shared/ton/lite/lite-api.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { checkTransaction, provenTransactions } from "./proof-checks.js";
import { expectFlipsFail, expectLiteError, type Opened, strange, strangeHash } from "./target.js";

export function describeTransactions(opened: Opened): void {
  describe("transactions of an account", () => {
    test("the list is newest first, each naming the previous one by hash and lt", async () => {
      const { account, lt, hash } = opened.sample.recent;
      const { ids, transactions } = await opened.api.getTransactions({ count: 16, account, lt, hash });
      const roots = parseBoc(transactions);
      expect(roots).toHaveLength(ids.length);
      expect(roots.length).toBeGreaterThan(1);
      let next = { lt, hash };
      for (const [index, root] of roots.entries()) {
        const transaction = decode(Transaction, root);
        expect({ lt: transaction.lt, hash: root.hash() }).toEqual(next);
        const held = await opened.api.getOneTransaction({ id: ids[index]!, account, lt: next.lt });
        expect(parseBocRoot(held.transaction).hash()).toEqual(next.hash);
        next = { lt: transaction.prevTransLt, hash: transaction.prevTransHash };
      }
    });

    test("the list has at most the count asked for, and at most 16", async () => {
      const { account, lt, hash } = opened.sample.recent;
      const ask = async (count: number) =>
        (await opened.api.getTransactions({ count, account, lt, hash })).ids.length;
      expect(await ask(1)).toBe(1);
      expect(await ask(2)).toBe(2);
      expect(await ask(1000)).toBeLessThanOrEqual(16);
      expect(await ask(0)).toBe(0);
    });

    test("a wrong first transaction is rejected with the errors that clients match", async () => {
      const { account, lt, hash } = opened.sample.recent;
      const ask = (start: { lt: bigint; hash: Uint8Array; account?: AccountId }) =>
        opened.api.getTransactions({ count: 1, account, ...start });
      await expectLiteError(ask({ lt, hash: strangeHash }), -400, "transaction hash mismatch");
      await expectLiteError(
        ask({ lt: lt + 1n, hash }),
        -400,
        /^(cannot locate transaction in block with specified logical time|transaction hash mismatch)$/,
      );
      await expectLiteError(
        ask({ lt: 1n << 62n, hash }),
        -400,
        /^cannot compute block with specified transaction: cannot find block \(-?\d+,[0-9a-f]{16}\) lt=4611686018427387904: lt not in db/,
      );
      await expectLiteError(
        ask({ lt, hash, account: { workchain: 77, id: account.id } }),
        -400,
        /^cannot compute block with specified transaction: cannot find block \(77,/,
      );
      await expectLiteError(
        ask({ lt, hash, account: { workchain: -0x80000000, id: account.id } }),
        -400,
        "invalid workchain specified",
      );
    });
  });

  describe("one transaction", () => {
    test("a transaction is proven to be in its block", async () => {
      const { block: id, account, lt, hash } = opened.sample.recent;
      const answer = await opened.api.getOneTransaction({ id, account, lt, proof: true });
      expect(answer.id).toEqual(id);
      expect(parseBocRoot(answer.transaction).hash()).toEqual(hash);
      const asked = { account: account.id, lt };
      expect(checkTransaction(id, answer.proof, asked)!.hash()).toEqual(hash);
      expectFlipsFail(answer.proof, (proof) => {
        if (!checkTransaction(id, proof, asked)) throw new Error("not there");
      });
    });

    test("the absence of a transaction is proven", async () => {
      const { block: id, account, lt } = opened.sample.recent;
      for (const asked of [
        { account: account.id, lt: lt + 1n },
        { account: strangeHash, lt },
      ]) {
        const answer = await opened.api.getOneTransaction({
          id,
          account: { ...account, id: asked.account },
          lt: asked.lt,
          proof: true,
        });
        expect(answer.transaction).toHaveLength(0);
        expect(checkTransaction(id, answer.proof, asked)).toBeUndefined();
      }
    });

    test("a block of another shard than the account's is rejected", async () => {
      const { block: id, account, lt } = opened.sample.recent;
      const other = { workchain: account.workchain === 0 ? -1 : 0, id: account.id };
      await expectLiteError(
        opened.api.getOneTransaction({ id, account: other, lt }),
        -400,
        "requested account id is not contained in the shard of the specified block",
      );
      await expectLiteError(
        opened.api.getOneTransaction({ id: { ...id, shard: 0n }, account, lt }),
        -400,
        "block id in getOneTransaction() is invalid",
      );
      await expectLiteError(
        opened.api.getOneTransaction({ id: strange(id), account, lt }),
        651,
        /^cannot load block \(.*\):(5A){32}:(5A){32} : block \(.*\) is not in db$/,
      );
    });
  });

  describe("transactions of a block", () => {
    test("each id has the fields asked for", async () => {
      const { busy: id, transactions } = opened.sample;
      const [first] = transactions;
      const ask = async (fields: object) =>
        (await opened.api.listBlockTransactions({ id, count: 1, ...fields })).ids;
      expect(await ask({})).toEqual([{}]);
      expect(await ask({ account: true })).toEqual([{ account: first!.account.id }]);
      expect(await ask({ lt: true, hash: true })).toEqual([{ lt: first!.lt, hash: first!.hash }]);
      const [withMetadata] = await ask({ hash: true, metadata: true });
      expect(withMetadata!.hash).toEqual(first!.hash);
    });

    test("the list is complete, in order, and proven", async () => {
      const { busy: id, transactions } = opened.sample;
      const answer = await opened.api.listBlockTransactions({ id, count: 256, hash: true, proof: true });
      expect({ id: answer.id, reqCount: answer.reqCount, incomplete: answer.incomplete }).toEqual({
        id,
        reqCount: 256,
        incomplete: false,
      });
      const proven = [...provenTransactions(id, answer.proof)];
      expect(proven).toEqual(
        transactions.map(({ account, lt, hash }) => ({ account: account.id, lt, hash })),
      );
      expect(answer.ids).toEqual(proven.map(({ hash }) => ({ hash })));
      expectFlipsFail(answer.proof, (proof) => {
        expect([...provenTransactions(id, proof)]).toEqual(proven);
      });
    });

    test("pages add up to the whole list in both directions", async () => {
      const { busy: id, transactions } = opened.sample;
      const fields = { account: true, lt: true, hash: true };
      for (const reverseOrder of [false, true]) {
        const listed: Uint8Array[] = [];
        let after: { account: Uint8Array; lt: bigint } | undefined;
        for (let incomplete = true; incomplete; ) {
          const page = await opened.api.listBlockTransactions({
            id,
            count: 3,
            ...fields,
            reverseOrder,
            ...(after && { after }),
          });
          expect(page.ids.length).toBeLessThanOrEqual(3);
          listed.push(...page.ids.map(({ hash }) => hash!));
          const last = page.ids.at(-1);
          if (last) after = { account: last.account!, lt: last.lt! };
          incomplete = page.incomplete;
        }
        const expected = transactions.map(({ hash }) => hash);
        expect(listed).toEqual(reverseOrder ? expected.toReversed() : expected);
      }
    });

    test("the proof of a page contains nothing after it", async () => {
      const { busy: id, transactions } = opened.sample;
      const { proof } = await opened.api.listBlockTransactions({ id, count: 1, hash: true, proof: true });
      const walk = provenTransactions(id, proof);
      expect(walk.next().value).toMatchObject({ hash: transactions[0]!.hash });
      const whole = await opened.api.listBlockTransactions({ id, count: 256, hash: true, proof: true });
      expect(proof.length).toBeLessThan(whole.proof.length);
    });

    test("whole transactions are sent as one BOC with a root for each", async () => {
      const { busy: id, transactions } = opened.sample;
      const page = { id, count: 256, proof: true, reverseOrder: true };
      const { transactions: bag, ...rest } = await opened.api.listBlockTransactionsExt(page);
      const { ids, ...listed } = await opened.api.listBlockTransactions({ ...page, hash: true });
      expect(rest).toEqual(listed);
      expect(parseBoc(bag).map((root) => root.hash())).toEqual(ids.map(({ hash }) => hash));
      expect(ids.map(({ hash }) => hash)).toEqual(transactions.map(({ hash }) => hash).toReversed());
    });

    test("transactions with message metadata are sent with a proof", async () => {
      const { busy: id, transactions } = opened.sample;
      const { proof } = await opened.api.listBlockTransactionsExt({ id, count: 256, metadata: true });
      expect([...provenTransactions(id, proof)].map(({ hash }) => hash)).toEqual(
        transactions.map(({ hash }) => hash),
      );
    });

    test("no proof is sent unless asked for, and at most 256 transactions are listed", async () => {
      const { busy: id } = opened.sample;
      const answer = await opened.api.listBlockTransactionsExt({ id, count: 100_000 });
      expect(answer.proof).toHaveLength(0);
      expect(answer.reqCount).toBe(100_000);
      expect(parseBoc(answer.transactions).length).toBeLessThanOrEqual(256);
    });

    test("a block without transactions has an empty list", async () => {
      const { first: id } = opened.sample;
      const { ids, incomplete } = await opened.api.listBlockTransactions({
        id,
        count: 5,
        after: { account: new Uint8Array(32).fill(0xff), lt: (1n << 64n) - 1n },
      });
      expect({ ids, incomplete }).toEqual({ ids: [], incomplete: false });
    });

    test("a block that does not exist has no list", async () => {
      const { busy } = opened.sample;
      const text = /^cannot load block \(.*\):(5A){32}:(5A){32} : block \(.*\) is not in db$/;
      await expectLiteError(opened.api.listBlockTransactions({ id: strange(busy), count: 1 }), 651, text);
      await expectLiteError(opened.api.listBlockTransactionsExt({ id: strange(busy), count: 1 }), 651, text);
      await expectLiteError(
        opened.api.listBlockTransactions({ id: { ...busy, shard: 0n }, count: 1 }),
        -400,
        "invalid block id requested",
      );
    });
  });
}
