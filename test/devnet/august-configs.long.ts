// A devnet with the real networks' configurations of August 2026.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { configAddress } from "../../server/devnet/genesis/initial-config.js";
import { jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { nftTransferBody } from "../../server/devnet/story/contracts/nft.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam } from "../../shared/ton/tlb/config/config-param.js";
import type { StoragePrices } from "../../shared/ton/tlb/config/prices.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { Transaction } from "../../shared/ton/tlb/transaction.js";
import { Address } from "../../shared/values/address.js";
import { adopted, augustConfig, withParam, withVersion } from "../helpers/chain/august-configs.js";
import { currentConfig } from "../helpers/chain/current-config.js";
import { tonConnectPath, tracePath } from "../helpers/chain/emulated.js";
import { bocText, codeOf, place } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { startStoryService } from "../helpers/stories/story-service.js";
import { describeWithChain } from "../helpers/test-data.js";
import { forwardFee, gasFee } from "./august-prices.js";

const receiver = new Address(0, new Uint8Array(32).fill(0xab));
const validUntil = 0xffffffff;
const wallet = new Wallet("v4r2", new SigningKey(new Uint8Array(32).fill(77)));

type Fees = { in_fwd_fee: number; storage_fee: number; gas_fee: number; fwd_fee: number };
type Phases = { compute_ph: { gas_used: string; gas_fees: string; success: boolean }; aborted: boolean };
type Emulated = { transactions: Record<string, { description: Phases }>; trace: { tx_hash: string } };
type Info = { contracts: { address: string; kind: string }[] };

async function lastTransaction(service: DevnetService, address: Address) {
  const [last] = await service.run<{ data: string }[]>("getTransactions", {
    address: address.toRaw(),
    limit: 1,
  });
  const cell = parseBocRoot(Buffer.from(last!.data, "base64"));
  return { cell, transaction: decode(Transaction, cell) };
}

/** Code that makes the first reference of a message its data: DROP, PLDREF, POP c4. */
const storesFirstReference = codeOf("30d74ced54");

/** Prices in an order that differs from that of their numbers, which the executor refuses. */
function withDisorderedPrices(root: Cell): Cell {
  const prices = configParam(decode(ConfigDictionary, root), 18)!;
  const [[, first]] = prices.entries() as unknown as [[number, StoragePrices]];
  const disordered = prices.set(0, { ...first, utimeSince: 7 }).set(1, { ...first, utimeSince: 6 });
  return withParam(root, 18, encodeConfigParam(18, disordered));
}

const order = (seqno: number, body = beginCell().storeUint(0, 32).storeBytes(new Uint8Array(30)).endCell()) =>
  wallet.order({ seqno, validUntil, payments: [{ to: receiver, value: 10_000_000n, bounce: false, body }] });

describeWithChain("a devnet with the configuration of", (chain) => {
  // A new devnet has the same prices by default.
  describe.each(["mainnet", "testnet", "its own"])("%s", (network) => {
    const real = network === "its own" ? undefined : augustConfig(chain, network);
    let service: DevnetService;
    let info: Info;

    beforeAll(async () => {
      service = await startStoryService();
      info = await service.run<Info>("devnet.info");
      if (real) await service.run("devnet.setConfig", { config: bocText(await adopted(service, real)) });
      const { code, data } = wallet.init;
      await place(service, {
        ...{ address: wallet.address.toRaw(), code: code!, data: data! },
        balance: "50000000000",
      });
      await service.run("sendBoc", { boc: bocText(order(0)) });
      await service.mine();
    });
    afterAll(() => service.close());

    const placesOf = (kind: string) =>
      info.contracts.filter((contract) => contract.kind === kind).map(({ address }) => address);

    it("estimates a transfer at the charged fee, which follows the prices", async () => {
      const body = decode(Message, order(1)).body;
      const estimate = await service.run<{ source_fees: Fees }>("estimateFee", {
        address: wallet.address.toRaw(),
        body: bocText(body),
      });
      await service.run("sendBoc", { boc: bocText(order(1)) });
      await service.mine();
      const { transaction } = await lastTransaction(service, wallet.address);
      const description = transaction.description.value;
      if (description.kind !== "ord" || description.computePh.kind !== "vm") throw new Error("did not run");
      const { gasUsed, gasFees } = description.computePh;
      const [sent] = [...transaction.messages.value.outMsgs.values()];
      const { body: sentBody, bodyInRef } = sent!.value;
      const fees = estimate.source_fees;
      expect(gasFees).toBe(gasFee(gasUsed));
      expect(fees).toMatchObject({
        gas_fee: Number(gasFee(gasUsed)),
        fwd_fee: Number(forwardFee(bodyInRef ? [sentBody] : sentBody.refs)),
        in_fwd_fee: Number(forwardFee(transaction.messages.value.inMsg!.cell.refs)),
      });
      expect(transaction.totalFees.coins).toBe(
        gasFees +
          BigInt(fees.in_fwd_fee) +
          (description.storagePh?.storageFeesCollected ?? 0n) +
          (description.action?.value.totalActionFees ?? 0n),
      );
    });

    it.each(["jetton_wallet", "nft_item"])("emulates a transfer of a %s at its prices", async (kind) => {
      const common = { to: receiver, excessesTo: receiver, queryId: 1 };
      const payload =
        kind === "nft_item"
          ? nftTransferBody({ ...common, forwardTons: 1n })
          : jettonTransferBody({ ...common, amount: 1n });
      const wallets = new Set(placesOf("wallet"));
      let traces = 0;
      for (const address of placesOf(kind)) {
        const method = kind === "nft_item" ? "get_nft_data" : "get_wallet_data";
        const owner = await ownerOf(address, method, kind === "nft_item" ? 3 : 1);
        if (!wallets.has(owner)) continue;
        const { json, text } = await service.post(tonConnectPath, {
          from: owner,
          messages: [{ address, amount: "200000000", payload: bocText(payload) }],
        });
        const { transactions } = json as Emulated;
        if (!transactions) throw new Error(text);
        const phases = Object.values(transactions).map(({ description }) => description);
        expect(phases.filter(({ aborted }) => !aborted).length).toBeGreaterThan(1);
        for (const { compute_ph } of phases)
          if (compute_ph.gas_used !== undefined)
            expect(compute_ph.gas_fees).toBe(String(gasFee(BigInt(compute_ph.gas_used))));
        traces++;
      }
      expect(traces).toBeGreaterThan(0);
    });

    async function ownerOf(address: string, method: string, index: number): Promise<string> {
      const { stack } = await service.run<{ stack: [string, { bytes: string }][] }>("runGetMethod", {
        ...{ address, method, stack: [] },
      });
      return parseBocRoot(Buffer.from(stack[index]![1].bytes, "base64")).parse().loadAddress()!.toRawUpper();
    }

    it("runs transactions at an unknown version", async () => {
      await service.run("devnet.setConfig", {
        config: bocText(withVersion(await currentConfig(service), 16)),
      });
      await service.run("sendBoc", { boc: bocText(order(2)) });
      const { headers } = await service.post(tracePath, { boc: bocText(order(3)) });
      expect(headers.get("x-network-version")).toBe("16");
      await service.mine();
      expect((await lastTransaction(service, wallet.address)).transaction.outMsgCount).toBe(1);
    });

    it("names the parameter that stops the executor, instead of uncomputed answers", async () => {
      const config = await currentConfig(service);
      const reason = /executor, of version 13, cannot use this configuration: .* parameter 18/;
      await expect(
        service.run("devnet.setConfig", { config: bocText(withDisorderedPrices(config)) }),
      ).rejects.toThrow(reason);
      await sneakIn(withDisorderedPrices(config));
      const body = decode(Message, order(3)).body;
      const estimate = { address: wallet.address.toRaw(), body: bocText(body) };
      const boc = bocText(order(3));
      for (const answer of [
        await service.post("/api/v2/estimateFee", estimate),
        await service.post(tracePath, { boc }),
        await service.post(tonConnectPath, {
          ...{ from: wallet.address.toRaw(), messages: [{ address: receiver.toRaw(), amount: "1" }] },
        }),
        await service.post("/api/v2/sendBoc", { boc }),
      ]) {
        expect(answer.status).toBe(500);
        expect(answer.text).toMatch(reason);
      }
      await expect(service.run("devnet.mine")).rejects.toThrow(reason);
      await service.run("devnet.setConfig", { config: bocText(config) });
      await service.run("sendBoc", { boc });
      await service.mine();
      expect((await lastTransaction(service, wallet.address)).transaction.outMsgCount).toBe(1);
    });

    /** In the way of a vote: by a transaction of the configuration contract. */
    async function sneakIn(config: Cell): Promise<void> {
      const address = configAddress.toRaw();
      await service.run("devnet.setCode", { address, code: bocText(storesFirstReference) });
      const data = beginCell().storeRef(config).endCell();
      await service.run("devnet.impersonate", {
        ...{ from: receiver.toRaw(), to: address, value: "1000000000" },
        body: bocText(beginCell().storeRef(data).endCell()),
      });
    }
  });
});
