import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { variants } from "../helpers/effort.js";
import { loadTonWeb, type TonWebProvider } from "../helpers/peers/tonweb.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { until } from "../helpers/until.js";

// The unchanged tonweb library against a devnet.

const wholeShard = "-9223372036854775808";
const TonWeb = loadTonWeb();

let service: TestService;
let provider: TonWebProvider;
beforeAll(async () => {
  service = await startService({ mining: "message", clock: "fixed" });
  provider = providerAt("/api/v2/jsonRPC");
});
afterAll(() => service.close());

const providerAt = (path: string) => new TonWeb.HttpProvider(service.url + path, { apiKey: service.key });
const unknownAddress = () => `0:${randomBytes(32).toString("hex")}`;
const mine = (blocks = 1) => service.rpc("devnet.mine", { blocks });

/** A wallet of the given kind with ten TON and a transfer behind it. */
async function usedWallet(kind = "v3R2") {
  const { publicKey, secretKey } = TonWeb.utils.keyPairFromSeed(randomBytes(32));
  const wallet = new TonWeb.Wallets.all[kind]!(provider, { publicKey, wc: 0 });
  const address = (await wallet.getAddress()).toString(true, true, true);
  await service.rpc("devnet.faucet", { address });
  expect(await wallet.deploy(secretKey).send()).toEqual({ "@type": "ok" });
  await mine();
  return { wallet, address, secretKey };
}

let read: ReturnType<typeof usedWallet> | undefined;
/** One wallet for the tests that only read it. */
function readWallet() {
  read ??= usedWallet();
  return read;
}

describe("tonweb", () => {
  it("reads balances as non-empty texts, zero too", async () => {
    expect(await provider.getBalance(unknownAddress())).toBe("0");
    expect(await providerAt("/").getBalance(unknownAddress())).toBe("0");
    const { address } = await readWallet();
    expect(await provider.getBalance(address)).toMatch(/^[1-9]\d+$/);
  });

  it("is refused with a text", async () => {
    await expect(provider.getBalance("nonsense")).rejects.toBe(
      "failed to parse post request: Failed to parse ton_addr: 'nonsense'",
    );
    await expect(provider.send("nope", {})).rejects.toBe("Unknown method");
  });

  it("reads the account data it needs", async () => {
    const { address } = await readWallet();
    expect(await provider.getAddressInfo(address)).toMatchObject({ state: "active" });
    expect(await provider.getExtendedAddressInfo(address)).toMatchObject({
      account_state: { "@type": "wallet.v3.accountState", seqno: 1 },
    });
    expect(await provider.getWalletInfo(address)).toMatchObject({
      wallet: true,
      wallet_type: "wallet v3 r2",
      seqno: 1,
      balance: expect.stringMatching(/^\d+$/),
    });
  });

  it.each(variants(["v3R1", "v4R2"], ["v3R2", "v4R1"]))(
    "deploys a wallet %s and pays from it",
    async (kind) => {
      const { wallet, secretKey } = await usedWallet(kind);
      expect(await wallet.methods.seqno().call()).toBe(1);
      const toAddress = unknownAddress();
      const order = {
        secretKey,
        toAddress,
        amount: new TonWeb.utils.BN("250000000"),
        seqno: 1,
        payload: "hello",
      };
      const fees = await wallet.methods.transfer(order).estimateFee();
      expect(fees).toMatchObject({
        "@type": "query.fees",
        source_fees: { "@type": "fees", gas_fee: expect.any(Number) },
      });
      expect(await wallet.methods.transfer(order).send()).toEqual({ "@type": "ok" });
      await mine();
      expect(await wallet.methods.seqno().call()).toBe(2);
      // An undeployed destination bounces nothing back: tonweb's raw address counts as not bounceable.
      expect(await provider.getBalance(toAddress)).toBe("250000000");
    },
  );

  it("pages through transactions with numbers where it has them", async () => {
    const { address } = await readWallet();
    const all = (await provider.getTransactions(address, 20)) as {
      transaction_id: { lt: string; hash: string };
    }[];
    expect(all).toHaveLength(2);
    const { lt, hash } = all[0]!.transaction_id;
    const again = await provider.getTransactions(address, 20, Number(lt), hash, undefined, true);
    expect(again).toEqual(all);
    const newer = await provider.getTransactions(
      address,
      20,
      undefined,
      undefined,
      Number(all[1]!.transaction_id.lt),
    );
    expect(newer).toEqual(all.slice(0, 1));
  });

  it("calls get-methods by name and by number, and gives arguments in every form it has", async () => {
    const { address } = await readWallet();
    expect(String(await provider.call2(address, "seqno"))).toBe("1");
    expect(String(await provider.call2(address, 85143))).toBe("1");
    const cell = "te6cckEBAQEAAgAAAEysuc0=";
    const args = [
      ["num", 31],
      ["num", "31"],
      ["num", "0x1f"],
      ["tvm.Cell", cell],
      ["tvm.Slice", cell],
    ];
    const left = (await provider.call2(address, "seqno", args)) as unknown[];
    expect(left.slice(0, 3).map(String)).toEqual(["31", "31", "31"]);
    await expect(provider.call2(address, "seqno", [["num", "1f"]])).rejects.toBe("Invalid number: 1f");
  });

  it("reads configuration, shards, headers and lists of blocks", async () => {
    const { seqno } = (await provider.getMasterchainInfo()).last;
    expect(await provider.getConfigParam(0)).toBeTruthy();
    const { shards } = await provider.getBlockShards(seqno);
    expect(shards).toEqual([
      expect.objectContaining({ workchain: 0, shard: wholeShard, seqno: expect.any(Number) }),
    ]);
    const header = await provider.getBlockHeader(0, wholeShard, shards[0]!["seqno"] as number);
    expect(header).toMatchObject({ end_lt: expect.stringMatching(/^\d+$/), prev_blocks: [{ workchain: 0 }] });
    expect(await provider.getBlockTransactions(-1, wholeShard, seqno, 5)).toMatchObject({
      "@type": "blocks.transactions",
      incomplete: false,
    });
  });

  it("follows the chain and hears of every block once", async () => {
    // It compares logical times as texts, so they need the same number of digits, as in blocks 7 to 40.
    await service.rpc("devnet.reset");
    await mine(7);
    const { seqno: start } = (await provider.getMasterchainInfo()).last;
    const heard: string[] = [];
    const storage = new TonWeb.InMemoryBlockStorage(() => {});
    const subscription = new TonWeb.BlockSubscription(
      provider,
      storage,
      async ({ id }) => void heard.push(`${id.workchain} ${id.seqno}`),
      { startMcBlockNumber: start, mcInterval: 5, shardsInterval: 1 },
    );
    onTestFinished(() => subscription.stop());
    await subscription.start();
    await mine(22);
    const masterchain = Array.from({ length: 20 }, (_, i) => `-1 ${start + 1 + i}`);
    const basechain = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { shards } = await provider.getBlockShards(start + 1 + i);
        return `0 ${shards[0]!["seqno"]}`;
      }),
    );
    await until("all blocks are heard of", () =>
      [...masterchain, ...basechain].every((each) => heard.includes(each)),
    );
    expect(new Set(heard).size).toBe(heard.length);
  });
});
