import { Cell as CoreCell } from "@ton/core";
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevnetService, startDevnetService } from "../helpers/devnet-service.js";

const publicKey = Buffer.alloc(32, 1);
const options = { publicKey, workchain: 0 };

/** C-76 to C-79, and the wallets beside them: contract, data cell, what is told of the wallet, what tonlib makes of it. */
const wallets: [type: string, code: CoreCell, data: string | CoreCell, told: object, state: object][] = [
  [
    "wallet v1 r3",
    WalletContractV1R3.create(options).init.code,
    "te6cckEBAQEAJgAASAAAAAUBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAbv8GYg=",
    { seqno: 5 },
    { "@type": "raw.accountState" },
  ],
  [
    "wallet v3 r2",
    WalletContractV3R2.create(options).init.code,
    "te6cckEBAQEAKgAAUAAAAAcpqaMXAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQHyHzNP",
    { seqno: 7, wallet_id: 698983191 },
    { "@type": "wallet.v3.accountState", wallet_id: 698983191, seqno: 7, revision: 2 },
  ],
  [
    "wallet v4 r2",
    WalletContractV4.create(options).init.code,
    "te6cckEBAQEAKwAAUQAAAAcpqaMXAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQFAUcBbnA==",
    { seqno: 7, wallet_id: 698983191 },
    { "@type": "wallet.v4.accountState", wallet_id: 698983191, seqno: 7, revision: 2 },
  ],
  [
    "wallet v5 r1",
    WalletContractV5R1.create(options).init.code,
    "te6cckEBAQEAKwAAUYAAAAG///+IgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICglumivQ==",
    { seqno: 3, wallet_id: 2147483409, is_signature_allowed: true },
    { "@type": "raw.accountState" },
  ],
  ...[WalletContractV1R1, WalletContractV1R2, WalletContractV2R1, WalletContractV2R2].map(
    (contract): (typeof wallets)[number] => {
      const { code, data } = contract.create(options).init;
      const [, version, revision] = /V(\d)R(\d)$/.exec(contract.name)!;
      return [`wallet v${version} r${revision}`, code, data, { seqno: 0 }, { "@type": "raw.accountState" }];
    },
  ),
  [
    "wallet v3 r1",
    WalletContractV3R1.create({ ...options, walletId: 0xffffff11 }).init.code,
    WalletContractV3R1.create({ ...options, walletId: 0xffffff11 }).init.data,
    { seqno: 0, wallet_id: 0xffffff11 },
    { "@type": "wallet.v3.accountState", wallet_id: 0xffffff11, seqno: 0, revision: 1 },
  ],
  [
    "wallet v5 beta",
    WalletContractV5Beta.create(options).init.code,
    WalletContractV5Beta.create(options).init.data,
    // Its data begin with other lengths; the flag is the first bit of a longer seqno.
    { seqno: 0, wallet_id: expect.any(Number), is_signature_allowed: false },
    { "@type": "raw.accountState" },
  ],
];

const boc = (cell: CoreCell | string) => (typeof cell === "string" ? cell : cell.toBoc().toString("base64"));

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService();
});
afterAll(() => service.close());

async function deploy(address: string, code: string, data: string): Promise<void> {
  await service.run("devnet.setCode", { address, code });
  await service.run("devnet.setData", { address, data });
}

describe.each(wallets)("C-76 to C-79: an account with the code of %s", (type, code, data, told, state) => {
  const address = `0:${Buffer.from(type.padEnd(32)).toString("hex")}`;

  it("is that wallet", async () => {
    await deploy(address, boc(code), boc(data));
    expect(await service.run("getWalletInformation", { address })).toEqual({
      "@type": "ext.accounts.walletInformation",
      wallet: true,
      balance: expect.stringMatching(/^\d+$/),
      extra_currencies: [],
      account_state: "active",
      last_transaction_id: expect.anything(),
      wallet_type: type,
      ...told,
    });
    const { account_state, revision } = await service.run<{ account_state: object; revision: number }>(
      "getExtendedAddressInformation",
      { address },
    );
    const { revision: wantedRevision = 0, ...wanted } = state as { revision?: number };
    expect([account_state, revision]).toEqual([expect.objectContaining(wanted), wantedRevision]);
  });

  it("has its code and data as the same cells, in the order of tonlib", async () => {
    await deploy(address, boc(code), boc(data));
    const shown = await service.run<{ code: string; data: string }>("getAddressInformation", { address });
    expect(CoreCell.fromBase64(shown.code).equals(code)).toBe(true);
    expect(CoreCell.fromBase64(shown.data).toBoc().toString("base64")).toBe(
      CoreCell.fromBase64(boc(data)).toBoc().toString("base64"),
    );
    expect(Buffer.from(shown.code, "base64").subarray(0, 5).toString("hex")).toBe("b5ee9c7241");
  });
});

describe("C-80: other contracts", () => {
  const address = `0:${"c".repeat(64)}`;
  const empty = "te6cckEBAQEAAgAAAEysuc0=";

  it("are no wallets, and are shown with code and data", async () => {
    await deploy(address, empty, "te6cckEBAQEAAwAAAbCDvS7H");
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
    expect(await service.run("getExtendedAddressInformation", { address })).toMatchObject({
      account_state: {
        "@type": "raw.accountState",
        code: empty,
        data: "te6cckEBAQEAAwAAAbCDvS7H",
        frozen_hash: "",
      },
      revision: 0,
    });
  });

  it("with the code of a wallet but too little data are none", async () => {
    await deploy(address, boc(WalletContractV4.create(options).init.code), empty);
    expect(await service.run("getWalletInformation", { address })).toMatchObject({ wallet: false });
    expect(await service.run("getExtendedAddressInformation", { address })).toMatchObject({
      account_state: { "@type": "raw.accountState" },
      revision: 0,
    });
  });
});

describe("getExtendedAddressInformation", () => {
  it("repeats the address with the flags it was given with", async () => {
    const address = "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI";
    const of = async (text: string) =>
      (
        await service.run<{ address: { account_address: string } }>("getExtendedAddressInformation", {
          address: text,
        })
      ).address.account_address;
    expect(await of(address)).toBe(address);
    expect(await of("kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH")).toBe(
      "kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH",
    );
    expect(await of("0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8")).toBe(
      "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    );
  });
});

describe("the devnet's faucet", () => {
  it("becomes a wallet with its first order, whose number grows with each", async () => {
    const { faucet } = await service.run<{ faucet: { address: string } }>("devnet.info");
    const wallet = () =>
      service.run<{ wallet: boolean; seqno?: number }>("getWalletInformation", { address: faucet.address });
    expect(await wallet()).toMatchObject({ wallet: false, account_state: "uninitialized" });
    for (let seqno = 1; seqno <= 3; seqno++) {
      await service.run("devnet.faucet", { address: `0:${"d".repeat(64)}` });
      expect(await wallet()).toMatchObject({
        wallet: true,
        wallet_type: "wallet v4 r2",
        seqno,
        account_state: "active",
      });
    }
  });
});
