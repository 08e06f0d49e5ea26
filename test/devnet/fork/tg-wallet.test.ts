// Telegram's wallet on a fork of a devnet, whose configuration has its code and loses it.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tgWalletParam } from "../../../shared/values/tg-wallet.js";
import { keyChange, keyOf, sendOneRequest, signedBy, TgAccount } from "../../helpers/contracts/tg-wallet.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";

const other = new TgAccount({} as DevnetService, keyOf(5)).wallet.address;
const pay = (value: bigint) => ({ to: other, value, bounce: false });

describe("Telegram's wallet on a fork", () => {
  let network: DevnetService;
  let fork: DevnetService;

  beforeAll(async () => {
    const config = join(folderInRun("tonwire-tg-fork-"), "network.json");
    network = await startDevnetService({ liteserverPort: 0, liteserverConfig: config });
    const account = new TgAccount(network);
    await network.run("devnet.faucet", { address: account.address, amount: "5000000000" });
    await account.send(account.order(0, [pay(3n)]));
    await network.mine();
    fork = await startDevnetService({ fork: config, devnetSeed: "fork" });
  });
  afterAll(async () => {
    await fork?.close();
    await network?.close();
  });

  const fund = ({ address }: TgAccount) => fork.run("devnet.faucet", { address, amount: "5000000000" });

  it("is deployed, pays and changes its key by the code of the network", async () => {
    const account = new TgAccount(fork, keyOf(6));
    await fund(account);
    expect(await account.send(account.order(0, [pay(5n)]))).toBeUndefined();
    expect(await account.newestValues()).toEqual(["5"]);
    const next = keyOf(7);
    const change = signedBy(keyOf(6), keyChange(account.wallet.address, 1, next));
    expect(await account.send(account.messageOf(change))).toBeUndefined();
    const late = signedBy(keyOf(6), sendOneRequest(2, pay(1n)));
    expect(await account.send(account.messageOf(late))).toMatchObject({ exit_name: "bad-signature" });
    expect(await account.send(account.messageOf(signedBy(next, sendOneRequest(2, pay(7n)))))).toBeUndefined();
    expect(await account.newestValues()).toEqual(["7"]);
    expect(await account.read("seqno")).toBe(3n);
  });

  it("goes on where the network has left it", async () => {
    const account = new TgAccount(fork);
    expect(await account.read("seqno")).toBe(1n);
    expect(await account.send(account.order(1, [pay(1n)]))).toBeUndefined();
    // The block before it has imported the account.
    await fork.mine();
    expect(await account.newestValues()).toEqual(["1"]);
    expect(await account.read("seqno")).toBe(2n);
  });

  it("ends with exit code 7 where the network has no code for it, and still takes money", async () => {
    await network.run("devnet.setConfig", { param: tgWalletParam });
    await fork.run("devnet.fork");
    const account = new TgAccount(fork);
    expect(await account.read("get_public_key")).toBe("exit code 7");
    expect(await account.send(account.order(1, [pay(1n)]))).toMatchObject({
      ...{ exit_code: 7, exit_name: "no-wallet-code" },
    });
    const balance = async () =>
      BigInt(await fork.run<string>("getAddressBalance", { address: account.address }));
    const before = await balance();
    await fund(account);
    expect((await balance()) - before).toBeGreaterThan(4_900_000_000n);
  });
});
