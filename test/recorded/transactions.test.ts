import { describe, expect, it } from "vitest";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { sized, variants } from "../helpers/effort.js";
import {
  describeMainnet,
  elector,
  type Listing,
  masterchain,
  type Short,
  whole,
} from "./describe-mainnet.js";

type Full = {
  account: string;
  data: string;
  transaction_id: { lt: string; hash: string };
  in_msg?: Ends;
  out_msgs: Ends[];
};
type Ends = { source: string; destination: string; created_lt: string };

const minter = "-1:0000000000000000000000000000000000000000000000000000000000000000";

describeMainnet("the first transactions of mainnet", ({ ask, idOf, newest, result }) => {
  describe("getBlockTransactions and getBlockTransactionsExt", () => {
    it("list the transactions of the block in its order", async () => {
      const all = await result<Listing>(`getBlockTransactions?${masterchain}&seqno=1`);
      expect(all).toMatchObject({
        "@type": "blocks.transactions",
        id: await idOf(-1, 1n << 63n, 1),
        req_count: 40,
        incomplete: false,
      });
      // From the archive's transaction list, made by @ton/core.
      expect(all.transactions.slice(0, 2)).toEqual([
        {
          "@type": "blocks.shortTxId",
          mode: 135,
          account: minter,
          lt: "1000001",
          hash: bytesToBase64(
            Buffer.from("e7472d76f471ef8090e3f256e738ab6a0ce82b36218310938cfb6bb630fad535", "hex"),
          ),
        },
        {
          "@type": "blocks.shortTxId",
          mode: 135,
          account: minter,
          lt: "1000003",
          hash: bytesToBase64(
            Buffer.from("772ca5ac8e990e07b51deb6d906c86b40d4ae9dd52acfea4a536f533f91cd83e", "hex"),
          ),
        },
      ]);
      const full = await result<{ transactions: Full[] }>(`getBlockTransactionsExt?${masterchain}&seqno=1`);
      expect(
        full.transactions.map(({ account, transaction_id: { lt, hash } }) => [
          account.toLowerCase(),
          lt,
          hash,
        ]),
      ).toEqual(all.transactions.map(({ account, lt, hash }) => [account, lt, hash]));
    });

    it.each(["getBlockTransactions", "getBlockTransactionsExt"])(
      "%s pages by after_lt and after_hash",
      async (name) => {
        const wanted = (await result<Listing>(`getBlockTransactions?${masterchain}&seqno=1`)).transactions;
        const seen: [string, string][] = [];
        let after = "";
        for (let incomplete = true; incomplete; ) {
          const page = await result<{
            incomplete: boolean;
            req_count: number;
            transactions: (Short & Full)[];
          }>(`${name}?${masterchain}&seqno=1&count=2${after}`);
          expect(page.req_count).toBe(2);
          const ids = page.transactions.map((each): [string, string] => [
            each.account.toLowerCase(),
            each.lt ?? each.transaction_id.lt,
          ]);
          seen.push(...ids);
          const [account, lt] = seen.at(-1)!;
          // after_hash takes an address or a bare account id.
          const place = seen.length % 4 === 0 ? account : account.split(":")[1]!;
          after = `&after_lt=${lt}&after_hash=${place}`;
          incomplete = page.incomplete;
        }
        expect(seen).toEqual(wanted.map(({ account, lt }) => [account, lt]));
      },
    );

    it("answer an empty list for a block without transactions", async () => {
      expect(await result(`getBlockTransactionsExt?workchain=0&shard=${whole}&seqno=1`)).toMatchObject({
        incomplete: false,
        transactions: [],
      });
    });
  });

  describe("getTransactions and getTransactionsStd", () => {
    /** Every transaction of the account in the newest blocks of the slice, newest first, from the blocks themselves. */
    async function history(account: string): Promise<string[]> {
      const found: string[] = [];
      for (let seqno = newest; seqno > newest - sized(25, newest); seqno--) {
        const listing = await result<Listing>(
          `getBlockTransactions?${masterchain}&seqno=${seqno}&count=1000`,
        );
        const own = listing.transactions.filter((each) => each.account === account);
        found.push(...own.map(({ lt, hash }) => `${lt} ${hash}`).reverse());
      }
      return found;
    }
    const idsOf = (transactions: Full[]) =>
      transactions.map(({ transaction_id: { lt, hash } }) => `${lt} ${hash}`);

    it("give the whole history of an account, newest first, also page by page", async () => {
      const wanted = idsOf(await result<Full[]>(`getTransactions?address=${elector}&limit=1000`));
      expect(wanted.length).toBeGreaterThan(150);
      const listed = await history(elector);
      expect(listed.length).toBeGreaterThan(sized(25, 150));
      expect(wanted.slice(0, sized(listed.length, wanted.length))).toEqual(listed);
      expect(idsOf(await result<Full[]>(`getTransactions?address=${elector}`))).toEqual(wanted.slice(0, 10));
      const seen: string[] = [];
      let start = "";
      for (;;) {
        const page = await result<{
          transactions: Full[];
          previous_transaction_id: { lt: string; hash: string };
        }>(`getTransactionsStd?address=${elector}&limit=60${start}`);
        seen.push(...idsOf(page.transactions));
        const { lt, hash } = page.previous_transaction_id;
        if (lt === "0") {
          expect(hash).toBe("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
          break;
        }
        start = `&lt=${lt}&hash=${encodeURIComponent(hash)}`;
      }
      expect(seen).toEqual(wanted);
    });

    it("start at a transaction, inclusive, given by its hash in any form", async () => {
      const [, , third] = await result<Full[]>(`getTransactions?address=${elector}&limit=3`);
      const { lt, hash } = third!.transaction_id;
      const hex = Buffer.from(hash, "base64").toString("hex");
      const next = await result<Full[]>(`getTransactions?address=${elector}&limit=2&lt=${lt}&hash=${hex}`);
      expect(next[0]).toEqual(third);
      const same = await result<Full[]>(
        `getTransactions?address=${elector}&limit=2&lt=${lt}&hash=${encodeURIComponent(hash)}`,
      );
      expect(same).toEqual(next);
    });

    it("stop at to_lt, and name the next transaction", async () => {
      const all = await result<Full[]>(`getTransactions?address=${elector}&limit=25`);
      const [bound, next] = [all[20]!, all[20]!].map((each) => each.transaction_id);
      const some = await result<Full[]>(`getTransactions?address=${elector}&limit=1000&to_lt=${bound!.lt}`);
      expect(idsOf(some)).toEqual(idsOf(all.slice(0, 20)));
      const std = await result<{ previous_transaction_id: object; transactions: Full[] }>(
        `getTransactionsStd?address=${elector}&limit=1000&to_lt=${bound!.lt}`,
      );
      expect(std.transactions).toHaveLength(20);
      expect(std.previous_transaction_id).toEqual(next);
    });

    it("refuse a hash of another transaction", async () => {
      const [newest] = await result<Full[]>(`getTransactions?address=${elector}&limit=1`);
      const { status, json } = await ask(
        `/api/v2/getTransactions?address=${elector}&lt=${newest!.transaction_id.lt}&hash=${"A".repeat(43)}`,
      );
      expect([status, (json as { error: string }).error]).toEqual([
        500,
        "LITE_SERVER_UNKNOWN: transaction hash mismatch",
      ]);
    });

    it("answer an error where no block has the logical time", async () => {
      const { json } = await ask(
        `/api/v2/getTransactions?address=${elector}&lt=999999999999999&hash=${"A".repeat(43)}`,
      );
      expect(json).toMatchObject({
        error: expect.stringMatching(
          /^LITE_SERVER_UNKNOWN: cannot compute block with specified transaction: cannot find block \(-1,3333333333333333\) lt=999999999999999: lt not in db/,
        ),
        code: 500,
      });
    });
  });

  describe("tryLocateTx and tryLocateSourceTx", () => {
    it("find both ends of every message between accounts", async () => {
      let found = 0;
      for (const seqno of variants([1, 2], [3, 50, 98])) {
        const { transactions } = await result<{ transactions: Full[] }>(
          `getBlockTransactionsExt?${masterchain}&seqno=${seqno}&count=1000`,
        );
        for (const { transaction_id } of transactions.filter(({ in_msg }) => in_msg)) {
          const [full] = await result<Full[]>(
            `getTransactions?address=${accountOf(transactions, transaction_id)}&limit=1&lt=${transaction_id.lt}&hash=${encodeURIComponent(transaction_id.hash)}`,
          );
          const { source, destination, created_lt } = full!.in_msg!;
          // Messages that a block itself creates, at its start, have no sending transaction.
          if (created_lt.endsWith("000000")) continue;
          const query = `source=${source}&destination=${destination}&created_lt=${created_lt}`;
          expect(await result(`tryLocateTx?${query}`)).toEqual(full);
          expect(await result(`tryLocateResultTx?${query}`)).toEqual(full);
          const sender = await result<Full>(`tryLocateSourceTx?${query}`);
          expect(sender.out_msgs).toContainEqual(full!.in_msg);
          found++;
        }
      }
      expect(found).toBeGreaterThan(3);
    });

    it("answer 404 where there is no such message", async () => {
      for (const lt of ["1000004", "999999999999"]) {
        for (const name of ["tryLocateTx", "tryLocateResultTx", "tryLocateSourceTx"]) {
          const query = `source=${elector}&destination=${minter}&created_lt=${lt}`;
          const { status, json } = await ask(`/api/v2/${name}?${query}`);
          expect([status, json]).toEqual([
            404,
            { ok: false, error: "transaction was not found", code: 404, "@extra": expect.any(String) },
          ]);
        }
      }
    });
  });
});

function accountOf(transactions: Full[], id: { lt: string; hash: string }): string {
  return transactions.find(({ transaction_id }) => transaction_id.hash === id.hash)!.account;
}
