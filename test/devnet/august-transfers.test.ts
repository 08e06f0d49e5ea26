// Transfers of jettons and NFTs on a devnet with the real networks' configurations of August 2026: each fee calculated
// by hand.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import type { Payment } from "../../server/contracts/wallet-order.js";
import { Jetton, jettonTransferBody } from "../../server/devnet/story/jetton.js";
import { NftCollection, nftTransferBody } from "../../server/devnet/story/nft.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { parseBocRoot } from "../../shared/ton/cells/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { ExistingAccount } from "../../shared/ton/tlb/account.js";
import type { CellOf } from "../../shared/ton/tlb/cell-of.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { configParam } from "../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import type { Message } from "../../shared/ton/tlb/message.js";
import { accountOf } from "../../shared/ton/tlb/msg-address.js";
import { ShardAccount } from "../../shared/ton/tlb/shard-account.js";
import { Transaction } from "../../shared/ton/tlb/transaction.js";
import { Address } from "../../shared/values/address.js";
import { adopted, augustConfig } from "../helpers/chain/august-configs.js";
import { currentConfig } from "../helpers/chain/current-config.js";
import { bocText, place } from "../helpers/contracts/contracts.js";
import { variants } from "../helpers/effort.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { describeWithChain } from "../helpers/test-data.js";
import { forwardFee, gasFee, keptOf, prices, storageFee } from "./august-prices.js";

const ton = 1_000_000_000n;
const hundredDays = 8_640_000;
const receiver = new Address(0, new Uint8Array(32).fill(0xab));
const collector = new Address(0, new Uint8Array(32).fill(0xcd));
const text = (length: number) => beginCell().storeUint(0, 32).storeBytes(new Uint8Array(length)).endCell();

/** A transaction, and its account before and after it. */
type Step = { address: Address; value: Transaction };

describeWithChain("a transfer that is sent on a devnet with the configuration of", (chain) => {
  // A new devnet has the same prices by default.
  describe.each(variants(["mainnet"], ["testnet", "its own"]))("%s", (network) => {
    const real = network === "its own" ? undefined : augustConfig(chain, network);
    const wallet = new Wallet("v4r2", new SigningKey(new Uint8Array(32).fill(78)));
    const jetton = new Jetton(wallet.address, beginCell().storeUint(1, 8).endCell());
    const collection = new NftCollection(wallet.address, "https://example.org/nft/");
    let service: DevnetService;
    let seqno = 0;

    beforeAll(async () => {
      service = await startDevnetService();
      if (real) await service.run("devnet.setConfig", { config: bocText(await adopted(service, real)) });
      // The last prices of storage began in April 2026.
      await service.run("devnet.setTime", { time: 1_800_000_000 });
      const { code, data } = wallet.init;
      const address = wallet.address.toRaw();
      await place(service, { address, code: code!, data: data!, balance: String(100n * ton) });
      const mint = { to: wallet.address, amount: 1000n, tons: ton / 10n, queryId: 1 };
      const item = { index: 0n, owner: wallet.address, tons: ton / 10n };
      await pay(
        { to: jetton.address, value: ton, init: jetton.init, body: jetton.mintBody(mint) },
        { to: collection.address, value: ton, init: collection.init, body: collection.mintBody([item], 1) },
      );
    });
    afterAll(() => service.close());

    /** Sends an order and mines it; returns the hash of its message, in hex. */
    async function pay(...payments: Payment[]): Promise<string> {
      const order = wallet.order({ seqno: seqno++, validUntil: 0xffffffff, payments });
      await service.run("sendBoc", { boc: bocText(order) });
      await service.mine();
      return order.hashHex();
    }

    async function accountAt(address: Address, block: number): Promise<ExistingAccount | undefined> {
      const { bytes } = await service.run<{ bytes: string }>("getShardAccountCell", {
        address: address.toRaw(),
        seqno: block,
      });
      return decode(ShardAccount, parseBocRoot(Buffer.from(bytes, "base64"))).account.value;
    }

    /** The transaction of an account that received a message. */
    async function receiverOf(address: Address, hash: string): Promise<Step> {
      const newest = await service.run<{ data: string }[]>("getTransactions", {
        address: address.toRaw(),
        limit: 10,
      });
      for (const { data } of newest) {
        const value = decode(Transaction, parseBocRoot(Buffer.from(data, "base64")));
        if (value.messages.value.inMsg?.cell.hashHex() === hash) return { address, value };
      }
      throw new Error(`${address.toRaw()} has not received ${hash}`);
    }

    /** All transactions of an order's trace, each before those it causes. */
    async function traceOf(hash: string): Promise<Step[]> {
      const steps = [await receiverOf(wallet.address, hash)];
      for (const { value } of steps)
        for (const sent of sentBy(value)) {
          const to = accountOf(sent.value.info.kind === "internal" ? sent.value.info.dest : undefined);
          steps.push(await receiverOf(to!, sent.cell.hashHex()));
        }
      return steps;
    }

    /** The fees of all messages and transactions that follow from an order; returns how many messages there were. */
    async function expectHandmadeFees(payment: Payment): Promise<{ messages: number; rents: bigint[] }> {
      await service.run("devnet.advanceTime", { seconds: hundredDays });
      await service.mine();
      const before = await lastSeqno();
      const steps = await traceOf(await pay(payment));
      const after = await lastSeqno();
      const states = new Map<string, ExistingAccount | undefined>();
      for (const { address } of steps) states.set(address.toRaw(), await accountAt(address, before));
      const balances = new Map([...states].map(([name, account]) => [name, balanceOf(account)]));
      const paidUntil = new Map([...states].map(([name, account]) => [name, account?.storageStat.lastPaid]));
      const rents: bigint[] = [];
      for (const { address, value } of steps) {
        const name = address.toRaw();
        const description = value.description.value;
        if (description.kind !== "ord") throw new Error(`${name} had no ordinary transaction`);
        const sent = sentBy(value);
        const { inMsg } = value.messages.value;
        expect(description.aborted).toBe(name === receiver.toRaw() || name === collector.toRaw());

        // The rent of a hundred days, once.
        const cells = states.get(name)?.storageStat.used.cells ?? 0n;
        const rent = storageFee(cells, value.now - (paidUntil.get(name) || value.now));
        expect(description.storagePh?.storageFeesCollected ?? 0n).toBe(rent);
        paidUntil.set(name, value.now);
        rents.push(rent);

        const compute = description.computePh;
        const gas = compute.kind === "vm" ? gasFee(compute.gasUsed) : 0n;
        if (compute.kind === "vm") expect(compute.gasFees).toBe(gas);

        const fees = sent.map(({ cell }) => forwardFee(cell.refs));
        for (const [at, { value: message }] of sent.entries()) {
          if (message.info.kind !== "internal") throw new Error("sent a message to the outside");
          expect(message.info).toMatchObject({ fwdFee: fees[at]! - keptOf(fees[at]!), extraFlags: 0n });
        }
        const [forwarding, kept] = [sum(fees), sum(fees.map(keptOf))];
        const action = description.action?.value;
        expect([action?.totalFwdFees ?? 0n, action?.totalActionFees ?? 0n]).toEqual([forwarding, kept]);

        const isExternal = inMsg!.value.info.kind === "externalIn";
        const imported = isExternal ? forwardFee(inMsg!.cell.refs) : 0n;
        expect(value.totalFees.coins).toBe(imported + rent + gas + kept);

        const left = sum(
          sent.map(({ value: { info } }) => (info.kind === "internal" ? info.value.coins + info.fwdFee : 0n)),
        );
        const { info } = inMsg!.value;
        const received = info.kind === "internal" ? info.value.coins : 0n;
        balances.set(name, balances.get(name)! + received - value.totalFees.coins - left);
      }
      for (const { address } of steps)
        expect(balanceOf(await accountAt(address, after))).toBe(balances.get(address.toRaw()));
      return { messages: steps.length, rents };
    }

    const lastSeqno = async () =>
      (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last.seqno;

    it("has the prices that are reckoned with", async () => {
      const params = decode(ConfigDictionary, await currentConfig(service));
      expect(configParam(params, 25)).toMatchObject({
        ...{ lumpPrice: prices.lump, bitPrice: prices.bit, cellPrice: prices.cell },
        firstFrac: Number(prices.firstFraction),
      });
      const storage = [...configParam(params, 18)!.values()].at(-1);
      expect(storage).toMatchObject({ bitPricePs: 0n, cellPricePs: prices.storedCell });
    });

    it("charges jettons with a notification and excesses", async () => {
      const transfer = { to: receiver, amount: 10n, excessesTo: collector, queryId: 2 };
      const first = jettonTransferBody({ ...transfer, forwardTons: ton / 100n, payload: text(90) });
      const to = jetton.walletOf(wallet.address);
      const { messages, rents } = await expectHandmadeFees({ to, value: ton / 5n, body: first });
      // The order, the transfer, the deployment of the receiver's wallet, the notification, and the excess.
      expect(messages).toBe(5);
      expect(rents.slice(0, 2).every((rent) => rent > 0n)).toBe(true);
      // Now the receiver's wallet has paid rent, too.
      const again = await expectHandmadeFees({ to, value: ton / 5n, body: jettonTransferBody(transfer) });
      expect(again.messages).toBe(4);
      expect(again.rents.slice(0, 3).every((rent) => rent > 0n)).toBe(true);
    });

    it("charges an NFT with a notification and excesses", async () => {
      const transfer = { to: receiver, excessesTo: collector, forwardTons: ton / 100n, queryId: 3 };
      const payment = { to: collection.item(0n), value: ton / 5n, body: nftTransferBody(transfer) };
      const { messages, rents } = await expectHandmadeFees(payment);
      // The order, the transfer, the notification, and the excess.
      expect(messages).toBe(4);
      expect(rents.slice(0, 2).every((rent) => rent > 0n)).toBe(true);
    });
  });
});

function sentBy({ messages }: Transaction): CellOf<Message>[] {
  return [...messages.value.outMsgs.values()];
}

function balanceOf(account: ExistingAccount | undefined): bigint {
  return account?.storage.balance.coins ?? 0n;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((a, b) => a + b, 0n);
}
