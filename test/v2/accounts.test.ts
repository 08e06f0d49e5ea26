import { Cell as CoreCell } from "@ton/core";
import { WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testAddress } from "../helpers/contracts/contracts.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { wallets } from "./wallets.js";

const absent = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const noTransaction = {
  "@type": "internal.transactionId",
  lt: "0",
  hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
};
const empty = "te6cckEBAQEAAgAAAEysuc0=";
const threeBits = "te6cckEBAQEAAwAAAbCDvS7H";
const walletCode = boc(WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 1) }).init.code);

type Receipt = { lt: string; tx_hash: string; block: { seqno: number } };

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService();
  for (const wallet of wallets) await deploy(addressOf(wallet), wallet[1], wallet[2]);
});
afterAll(() => service.close());

const head = async () => (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last;
const give = (address: string, amount: string) => service.run<Receipt>("devnet.faucet", { address, amount });

function boc(cell: CoreCell | string): string {
  return typeof cell === "string" ? cell : cell.toBoc().toString("base64");
}

async function deploy(address: string, code: CoreCell | string, data: CoreCell | string): Promise<string> {
  await service.run("devnet.setCode", { address, code: boc(code) });
  await service.run("devnet.setData", { address, data: boc(data) });
  return address;
}

const addressOf = ([type]: (typeof wallets)[number]) => `0:${Buffer.from(type.padEnd(32)).toString("hex")}`;
const deployOther = () => deploy(testAddress("c"), empty, threeBits);
const deployTooLittleData = () => deploy(testAddress("c"), walletCode, empty);

describe("getAddressInformation", () => {
  it("answers an account that does not exist with zeros", async () => {
    expect(await service.run("getAddressInformation", { address: absent })).toEqual({
      "@type": "raw.fullAccountState",
      balance: "0",
      extra_currencies: [],
      last_transaction_id: noTransaction,
      block_id: await head(),
      code: "",
      data: "",
      frozen_hash: "",
      sync_utime: expect.any(Number),
      state: "uninitialized",
      suspended: false,
    });
  });

  it.each(wallets)("shows code and data of a %s as bags in the cell order of tonlib", async (...wallet) => {
    const [, code, data] = wallet;
    const address = addressOf(wallet);
    const shown = await service.run<{ code: string; data: string }>("getAddressInformation", { address });
    expect(CoreCell.fromBase64(shown.code).equals(code)).toBe(true);
    expect(CoreCell.fromBase64(shown.data).toBoc().toString("base64")).toBe(
      CoreCell.fromBase64(boc(data)).toBoc().toString("base64"),
    );
    expect(Buffer.from(shown.code, "base64").subarray(0, 5).toString("hex")).toBe("b5ee9c7241");
  });
});

describe("getExtendedAddressInformation", () => {
  it("answers an account that does not exist as uninitialized", async () => {
    expect(await service.run("getExtendedAddressInformation", { address: absent })).toMatchObject({
      balance: "0",
      account_state: { "@type": "uninited.accountState", frozen_hash: "" },
      revision: 0,
    });
  });

  it.each(wallets)("shows a %s as tonlib does", async (...wallet) => {
    const [, , , , state] = wallet;
    const address = addressOf(wallet);
    const { account_state, revision } = await service.run<{ account_state: object; revision: number }>(
      "getExtendedAddressInformation",
      { address },
    );
    const { revision: wantedRevision = 0, ...wanted } = state as { revision?: number };
    expect([account_state, revision]).toEqual([expect.objectContaining(wanted), wantedRevision]);
  });

  it("shows a contract of no known kind with its code and data", async () => {
    const address = await deployOther();
    expect(await service.run("getExtendedAddressInformation", { address })).toMatchObject({
      account_state: { "@type": "raw.accountState", code: empty, data: threeBits, frozen_hash: "" },
      revision: 0,
    });
  });

  it("shows a wallet's code with too little data as a contract of no known kind", async () => {
    const address = await deployTooLittleData();
    expect(await service.run("getExtendedAddressInformation", { address })).toMatchObject({
      account_state: { "@type": "raw.accountState" },
      revision: 0,
    });
  });

  it("repeats the address with the flags of the request", async () => {
    const of = async (address: string) => {
      const answer = await service.run<{ address: { account_address: string } }>(
        "getExtendedAddressInformation",
        { address },
      );
      return answer.address.account_address;
    };
    expect(await of("UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI")).toBe(
      "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI",
    );
    expect(await of("kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH")).toBe(
      "kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH",
    );
    expect(await of("0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8")).toBe(absent);
  });
});

describe("getWalletInformation", () => {
  it("answers an account that does not exist as no wallet", async () => {
    expect(await service.run("getWalletInformation", { address: absent })).toEqual({
      "@type": "ext.accounts.walletInformation",
      wallet: false,
      balance: "0",
      extra_currencies: [],
      account_state: "uninitialized",
      last_transaction_id: noTransaction,
    });
  });

  it.each(wallets)("recognises a %s", async (...wallet) => {
    const [type, , , fields] = wallet;
    const address = addressOf(wallet);
    expect(await service.run("getWalletInformation", { address })).toEqual({
      "@type": "ext.accounts.walletInformation",
      wallet: true,
      balance: expect.stringMatching(/^\d+$/),
      extra_currencies: [],
      account_state: "active",
      last_transaction_id: expect.anything(),
      wallet_type: type,
      ...fields,
    });
  });

  it("answers a contract of another kind without the fields of wallets", async () => {
    const address = await deployOther();
    const shown = await service.run<Record<string, unknown>>("getWalletInformation", { address });
    expect(Object.keys(shown)).toEqual([
      "@type",
      "wallet",
      "balance",
      "extra_currencies",
      "account_state",
      "last_transaction_id",
    ]);
    expect(shown).toMatchObject({ wallet: false, account_state: "active" });
  });

  it("does not take a wallet's code with too little data for a wallet", async () => {
    const address = await deployTooLittleData();
    expect(await service.run("getWalletInformation", { address })).toMatchObject({ wallet: false });
  });

  it("shows the faucet as a wallet from the beginning, with a growing seqno", async () => {
    const { faucet } = await service.run<{ faucet: { address: string } }>("devnet.info");
    const wallet = () =>
      service.run<{ wallet: boolean; seqno?: number }>("getWalletInformation", { address: faucet.address });
    await service.run("devnet.reset");
    for (let seqno = 0; seqno <= 3; seqno++) {
      if (seqno > 0) await service.run("devnet.faucet", { address: testAddress("d") });
      expect(await wallet()).toMatchObject({
        wallet: true,
        wallet_type: "wallet v4 r2",
        seqno,
        account_state: "active",
      });
    }
  });
});

describe("getAddressBalance", () => {
  it("answers 0 for an account that does not exist", async () => {
    expect(await service.run("getAddressBalance", { address: absent })).toBe("0");
  });

  it("is cached until the next block once it is asked again, and read again after it", async () => {
    const address = testAddress("1");
    const path = `/api/v2/getAddressBalance?address=${address}`;
    const asked = async () => {
      const { result, "@extra": extra } = (await service.get(path)).json as Record<string, string>;
      return [result, extra!.endsWith(":c")];
    };
    expect([await asked(), await asked(), await asked()]).toEqual([
      ["0", false],
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

describe("getAddressState", () => {
  it("answers an account that does not exist as uninitialized", async () => {
    expect(await service.run("getAddressState", { address: absent })).toBe("uninitialized");
  });

  it("answers an account with code as active", async () => {
    const address = await deployOther();
    expect(await service.run("getAddressState", { address })).toBe("active");
  });
});

describe("getShardAccountCell", () => {
  it("shows an account that does not exist as account_none", async () => {
    expect(await service.run("getShardAccountCell", { address: absent })).toEqual({
      "@type": "tvm.cell",
      bytes: "te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==",
    });
  });
});

describe("the parameter seqno", () => {
  it("reads the account at an earlier block, in every method that takes it", async () => {
    const address = testAddress("2");
    const before = (await head()).seqno;
    const first = await give(address, "1000000000");
    const second = await give(address, "2000000000");
    const at = (method: string, seqno?: number) => service.run<object>(method, { address, seqno });
    const balances = [before, first.block.seqno, second.block.seqno, undefined].map((seqno) =>
      at("getAddressBalance", seqno),
    );
    // The second transaction also paid the storage fee.
    const now = await at("getAddressBalance");
    expect(now).toMatch(/^299999999\d$/);
    expect(await Promise.all(balances)).toEqual(["0", "1000000000", now, now]);
    for (const method of ["getAddressInformation", "getExtendedAddressInformation", "getWalletInformation"]) {
      expect(await at(method, before)).toMatchObject({ balance: "0", last_transaction_id: noTransaction });
      expect(await at(method, first.block.seqno)).toMatchObject({
        balance: "1000000000",
        last_transaction_id: {
          lt: first.lt,
          hash: first.tx_hash,
        },
      });
    }
    expect(await at("getShardAccountCell", before)).not.toEqual(await at("getShardAccountCell"));
    await service.mine(3);
    expect(await at("getAddressBalance", first.block.seqno)).toBe("1000000000");
  });
});
