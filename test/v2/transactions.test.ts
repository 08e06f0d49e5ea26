import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevnetService, startDevnetService } from "../helpers/devnet-service.js";

const noTransaction = {
  "@type": "internal.transactionId",
  lt: "0",
  hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
};
const nobody = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const someone = (digit: string) => `0:${digit.repeat(64)}`;
const whole = "-9223372036854775808";

type Short = { account: string; lt: string; hash: string };
type Message = { source: string; destination: string; created_lt: string };
type Transaction = {
  transaction_id: { lt: string; hash: string };
  in_msg?: Message;
  out_msgs: Message[];
};
type Receipt = { lt: string; tx_hash: string; block: { seqno: number } };

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService();
});
afterAll(() => service.close());

const head = () => service.run<{ last: { seqno: number } }>("getMasterchainInfo");
const give = (address: string, amount: string) => service.run<Receipt>("devnet.faucet", { address, amount });

describe("an account that does not exist", () => {
  it("C-90: has nothing", async () => {
    const { last } = await head();
    expect(await service.run("getAddressInformation", { address: nobody })).toEqual({
      "@type": "raw.fullAccountState",
      balance: "0",
      extra_currencies: [],
      last_transaction_id: noTransaction,
      block_id: last,
      code: "",
      data: "",
      frozen_hash: "",
      sync_utime: expect.any(Number),
      state: "uninitialized",
      suspended: false,
    });
    expect(await service.run("getAddressBalance", { address: nobody })).toBe("0");
    expect(await service.run("getAddressState", { address: nobody })).toBe("uninitialized");
    expect(await service.run("getExtendedAddressInformation", { address: nobody })).toMatchObject({
      balance: "0",
      account_state: { "@type": "uninited.accountState", frozen_hash: "" },
      revision: 0,
    });
    expect(await service.run("getWalletInformation", { address: nobody })).toEqual({
      "@type": "ext.accounts.walletInformation",
      wallet: false,
      balance: "0",
      extra_currencies: [],
      account_state: "uninitialized",
      last_transaction_id: noTransaction,
    });
  });

  it("C-89: is shown as account_none in its shard", async () => {
    expect(await service.run("getShardAccountCell", { address: nobody })).toEqual({
      "@type": "tvm.cell",
      bytes: "te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==",
    });
  });

  it("C-91: has no transactions", async () => {
    expect(await service.run("getTransactions", { address: nobody })).toEqual([]);
    expect(await service.run("getTransactionsStd", { address: nobody })).toEqual({
      "@type": "raw.transactions",
      transactions: [],
      previous_transaction_id: noTransaction,
    });
  });

  it("does not exist in workchains there are not, either", async () => {
    const { last } = await head();
    const address = `5:${"ab".repeat(32)}`;
    expect(await service.run("getAddressInformation", { address })).toMatchObject({
      balance: "0",
      state: "uninitialized",
      block_id: last,
      sync_utime: expect.any(Number),
    });
    expect(await service.run("getTransactions", { address })).toEqual([]);
  });
});

describe("the configuration", () => {
  it("C-93: has no cell for what is not set", async () => {
    expect(await service.run("getConfigParam", { param: 1000 })).toEqual({
      "@type": "configInfo",
      config: { "@type": "tvm.cell", bytes: "" },
    });
  });
});

describe("C-94 and C-95: getMasterchainInfo", () => {
  it("names the zero state without a shard, and every answer its version", async () => {
    expect(await head()).toMatchObject({ init: { shard: "0", seqno: 0 } });
    for (const path of ["getMasterchainInfo", "getShards?seqno=0", "getShards?seqno=9999999"]) {
      const { status, headers, json } = await service.get(`/api/v2/${path}`);
      expect(headers.get("X-API-Version")).toMatch(/^2\.2\.\d+$/);
      const { ok, code } = json as { ok: boolean; code?: number };
      expect([ok, code]).toEqual(status === 200 ? [true, undefined] : [false, status]);
    }
  });
});

describe("reads of the last block", () => {
  it("see every block as soon as whoever made it is told", async () => {
    for (let i = 0; i < 5; i++) {
      const seqno = await service.mine();
      const { last } = await head();
      expect(last.seqno).toBe(seqno);
      expect(await service.run("getConsensusBlock")).toMatchObject({ consensus_block: seqno });
      expect(await service.run("getAddressInformation", { address: nobody })).toMatchObject({
        block_id: last,
      });
    }
  });

  it("come from the cache until then, and from nowhere else afterwards", async () => {
    const address = someone("1");
    const path = `/api/v2/getAddressBalance?address=${address}`;
    const asked = async () => {
      const { result, "@extra": extra } = (await service.get(path)).json as Record<string, string>;
      return [result, extra!.endsWith(":c")];
    };
    expect([await asked(), await asked()]).toEqual([
      ["0", false],
      ["0", true],
    ]);
    await give(address, "5000");
    expect([await asked(), await asked()]).toEqual([
      ["5000", false],
      ["5000", true],
    ]);
  });
});

describe("reads of earlier blocks", () => {
  it("give an account as it was then, by every method that takes seqno", async () => {
    const address = someone("2");
    const before = (await head()).last.seqno;
    const first = await give(address, "1000000000");
    const second = await give(address, "2000000000");
    const at = (method: string, seqno?: number) => service.run<object>(method, { address, seqno });
    const balances = [before, first.block.seqno, second.block.seqno, undefined].map((seqno) =>
      at("getAddressBalance", seqno),
    );
    // The second transaction also took what the storage had cost.
    const now = await at("getAddressBalance");
    expect(now).toMatch(/^299999999\d$/);
    expect(await Promise.all(balances)).toEqual(["0", "1000000000", now, now]);
    for (const method of ["getAddressInformation", "getExtendedAddressInformation", "getWalletInformation"]) {
      expect(await at(method, before)).toMatchObject({ balance: "0", last_transaction_id: noTransaction });
      expect(await at(method, first.block.seqno)).toMatchObject({
        balance: "1000000000",
        last_transaction_id: {
          lt: first.lt,
          hash: Buffer.from(first.tx_hash, "hex").toString("base64"),
        },
      });
    }
    expect(await at("getShardAccountCell", before)).not.toEqual(await at("getShardAccountCell"));
    await service.mine(3);
    expect(await at("getAddressBalance", first.block.seqno)).toBe("1000000000");
  });
});

describe("the transactions of an account", () => {
  it("are found whole, over many blocks, from any of them on", async () => {
    const address = someone("3");
    const receipts: Receipt[] = [];
    for (let i = 1; i <= 40; i++) receipts.push(await give(address, String(i)));
    const all = await service.run<Transaction[]>("getTransactions", { address, limit: 1000 });
    const idOf = ({ transaction_id: { lt, hash } }: Transaction) => ({
      lt,
      tx_hash: Buffer.from(hash, "base64").toString("hex"),
    });
    expect(all.map(idOf)).toEqual(receipts.reverse().map(({ lt, tx_hash }) => ({ lt, tx_hash })));
    const { lt, hash } = all[17]!.transaction_id;
    expect(await service.run("getTransactions", { address, limit: 20, lt, hash })).toEqual(all.slice(17, 37));
    // A number stands for the lt just as well.
    const page = await service.run<{ transactions: object[]; previous_transaction_id: object }>(
      "getTransactionsStd",
      { address, limit: 20, lt: Number(lt), hash },
    );
    expect(page.previous_transaction_id).toEqual(all[37]!.transaction_id);
  });
});

describe("messages", () => {
  it("are found from both ends, within a chain and between the chains", async () => {
    const places = [
      [someone("4"), someone("5")],
      [someone("4"), `-1:${"6".repeat(64)}`],
      [`-1:${"6".repeat(64)}`, someone("4")],
    ];
    for (const [from, to] of places)
      await service.run("devnet.impersonate", { from, to, value: "1000", bounce: false });
    await give(`-1:${"7".repeat(64)}`, "1000000000");
    const { seqno } = (await head()).last;
    let located = 0;
    for (const workchain of [-1, 0]) {
      for (let at = 1; at <= seqno; at++) {
        const block = { workchain, shard: whole, seqno: at };
        const { transactions } = await service.run<{ transactions: Short[] }>("getBlockTransactions", {
          ...block,
          count: 1000,
        });
        for (const { account, lt, hash } of transactions) {
          const [full] = await service.run<Transaction[]>("getTransactions", {
            address: account,
            limit: 1,
            lt,
            hash,
          });
          for (const message of full!.out_msgs) {
            const result = await service.run<Transaction>("tryLocateResultTx", endsOf(message));
            expect(result.in_msg).toEqual(message);
            expect(await service.run("tryLocateTx", endsOf(message))).toEqual(result);
            expect(await service.run("tryLocateSourceTx", endsOf(message))).toEqual(full);
            located++;
          }
        }
      }
    }
    // Everything the faucet has given so far.
    expect(located).toBeGreaterThan(40);
  });

  it("are found by any form of their ends' addresses", async () => {
    const { faucet } = await service.run<{ faucet: { address: string } }>("devnet.info");
    const { tx_hash } = await give(someone("8"), "77");
    const [received] = await service.run<Transaction[]>("getTransactions", {
      address: someone("8"),
      limit: 1,
    });
    const { source, destination, created_lt } = received!.in_msg!;
    expect([source, Buffer.from(received!.transaction_id.hash, "base64").toString("hex")]).toEqual([
      expect.stringMatching(/^E/),
      tx_hash,
    ]);
    const forms = [
      { source: faucet.address, destination: someone("8").toUpperCase() },
      { source: source.replaceAll("-", "+").replaceAll("_", "/"), destination },
    ];
    for (const form of forms)
      expect(await service.run("tryLocateTx", { ...form, created_lt })).toEqual(received);
    // The other way round there was none.
    const { error } = (await service.rpc("tryLocateTx", {
      source: destination,
      destination: source,
      created_lt,
    })) as { error: object };
    expect(error).toMatchObject({
      message: "transaction was not found",
      data: { code: 404, kind: "absent" },
    });
  });
});

function endsOf({ source, destination, created_lt }: Message): Message {
  return { source, destination, created_lt };
}
