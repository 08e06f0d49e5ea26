import { Address as CoreAddress, type Cell as CoreCell, internal, SendMode } from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from "@ton/ton";
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../server/chain/executor/executor.js";
import { interfacesOf } from "../../server/contracts/interfaces.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { methodId } from "../../shared/ton/tvm/method-id.js";
import { Address } from "../../shared/values/address.js";
import { explainExitCode } from "../../shared/values/exit-codes/explain.js";
import { fromCore } from "../helpers/chain/core-cell.js";
import { activeAccount, externalMessage, testConfig, testTime } from "../helpers/chain/sample-chain.js";
import { sharedExecutor } from "../helpers/chain/shared-executor.js";

type Init = { code: CoreCell; data: CoreCell };
/** Differences of an order from a valid one. */
type Order = { seqno?: number; timeout?: number; secretKey?: Buffer; walletId?: number };
type Wallet = { init: Init; body: (order: Order) => CoreCell };

const [key, otherKey] = [7, 8].map((byte) => keyPairFromSeed(Buffer.alloc(32, byte)));
const { publicKey } = key!;
const place = { workchain: 0, publicKey };
const messages = [internal({ to: CoreAddress.parseRaw(`0:${"1".repeat(64)}`), value: 1n, bounce: false })];
const sendMode = SendMode.IGNORE_ERRORS + SendMode.PAY_GAS_SEPARATELY;
const transfer = ({ seqno = 1, timeout = testTime + 60, secretKey = key!.secretKey }: Order) => ({
  ...{ seqno, timeout, secretKey, messages, sendMode },
});

type Plain = {
  create(args: typeof place): { init: Init; createTransfer(args: ReturnType<typeof transfer>): CoreCell };
};
/** A wallet without an id. */
function plain(contract: Plain): Wallet {
  const wallet = contract.create(place);
  return { init: wallet.init, body: (order) => wallet.createTransfer(transfer(order)) };
}

type Numbered = { create(args: typeof place & { walletId?: number }): ReturnType<Plain["create"]> };
function numbered(contract: Numbered): Wallet {
  return {
    init: contract.create(place).init,
    body: ({ walletId, ...order }) =>
      contract
        .create({ ...place, ...(walletId !== undefined && { walletId }) })
        .createTransfer(transfer(order)),
  };
}

const v5: Wallet = {
  init: WalletContractV5R1.create({ publicKey }).init,
  body: ({ walletId: networkGlobalId = -239, ...order }) =>
    WalletContractV5R1.create({
      publicKey,
      walletId: {
        networkGlobalId,
        context: { walletVersion: "v5r1", workchain: 0, subwalletNumber: 0 },
      },
    }).createTransfer({ ...transfer(order), authType: "external" }),
};

const wrongs = {
  seqno: { seqno: 9 },
  walletId: { walletId: 5 },
  signature: { secretKey: otherKey!.secretKey },
  expired: { timeout: testTime - 1 },
} as const satisfies Record<string, Order>;
type Refusals = Partial<Record<keyof typeof wrongs, readonly [number, string]>>;

// The codes in the sources of the wallets.
const first: Refusals = { seqno: [33, "wrong-seqno"], signature: [34, "bad-signature"] };
const second: Refusals = { ...first, expired: [35, "expired"] };
const third: Refusals = {
  seqno: [33, "wrong-seqno"],
  walletId: [34, "wrong-wallet-id"],
  signature: [35, "expired-or-bad-signature"],
  expired: [35, "expired-or-bad-signature"],
};
const fourth: Refusals = { ...third, signature: [35, "bad-signature"], expired: [36, "expired"] };
const fifth: Refusals = {
  seqno: [133, "wrong-seqno"],
  walletId: [134, "wrong-wallet-id"],
  signature: [135, "bad-signature"],
  expired: [136, "expired"],
};

const wallets: readonly [name: string, Wallet, Refusals][] = [
  ["wallet_v1r1", plain(WalletContractV1R1), first],
  ["wallet_v1r2", plain(WalletContractV1R2), first],
  ["wallet_v1r3", plain(WalletContractV1R3), first],
  ["wallet_v2r1", plain(WalletContractV2R1), second],
  ["wallet_v2r2", plain(WalletContractV2R2), second],
  ["wallet_v3r1", numbered(WalletContractV3R1 as Numbered), third],
  ["wallet_v3r2", numbered(WalletContractV3R2 as Numbered), third],
  ["wallet_v4r2", numbered(WalletContractV4 as Numbered), fourth],
  ["wallet_v5r1", v5, fifth],
];

const address = new Address(0, new Uint8Array(32).fill(5));
const randSeed = new Uint8Array(32).fill(9);
let executor: Executor;
beforeAll(async () => {
  executor = await sharedExecutor();
});

const deliver = (shardAccount: Cell, body: CoreCell) =>
  executor.runTransaction({
    ...{ config: testConfig, shardAccount, now: testTime, lt: 2_000_000n, randSeed },
    message: externalMessage(address, fromCore(body)),
  });

/** The account after its first order, whose seqno is 0: it may have no deadline. */
function used({ init, body }: Wallet): Cell {
  const account = { address, code: fromCore(init.code), data: fromCore(init.data), balance: 1_000_000_000n };
  const result = deliver(activeAccount(account), body({ seqno: 0 }));
  if (result.outcome !== "done") throw new Error(`the first order is ${result.outcome}`);
  return result.shardAccount;
}

const contractOf = ({ code }: Init) => interfacesOf(code.hash().toString("base64"), null);
const nameOf = (code: number, init: Init) => explainExitCode({ code, contract: contractOf(init) })?.name;

describe.each(wallets)("%s", (name, wallet, expected) => {
  const { init, body } = wallet;

  it("is recognised, and takes orders that are right", () => {
    expect(contractOf(init)).toEqual([name]);
    expect(deliver(used(wallet), body({})).outcome).toBe("done");
  });

  it("refuses orders with the exit codes of the table", () => {
    const account = used(wallet);
    const reasons = Object.keys(expected) as (keyof typeof wrongs)[];
    const refusals = reasons.map((reason) => {
      const result = deliver(account, body(wrongs[reason]));
      if (result.outcome !== "refused") throw new Error(`${reason}: the order is ${result.outcome}`);
      return [reason, [result.exitCode, nameOf(result.exitCode, init)]];
    });
    expect(Object.fromEntries(refusals)).toEqual(expected);
  });

  it("ends with the exit code of the table if it lacks a get-method", () => {
    const { exitCode } = executor.runMethod({
      ...{
        config: testConfig,
        address,
        now: testTime,
        randSeed,
        balance: 0n,
        stack: [],
        gasLimit: 1_000_000,
      },
      ...{ code: fromCore(init.code), data: fromCore(init.data), methodId: methodId("no_such_method") },
    });
    expect([exitCode, nameOf(exitCode, init)]).toEqual(
      /v[123]/.test(name) ? [32, "no-such-method"] : [11, "unknown-error"],
    );
  });
});
