// Copied into a newcomer's project, where it is a test: the counter as three libraries have one write it, without a wait.
import {
  Address,
  beginCell,
  type Cell,
  type Contract,
  openContract,
  type Sender,
  type SenderArguments,
  storeStateInit,
  toNano,
} from "@ton/core";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { TonClient as PlainClient, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { type Client, createClient, http } from "tonwire";
import { type RunningDevnet, startDevnet } from "tonwire/devnet";
import { contractProvider } from "tonwire/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Counter } from "../src/counter.js";

const rounds = Number(process.env["ROUNDS"]);
let devnet: RunningDevnet;
let client: Client;
let plain: PlainClient;
let ids = 0;

beforeAll(async () => {
  devnet = await startDevnet();
  client = createClient({ transport: http(`${devnet.url}/jsonRPC`) });
  plain = new PlainClient({ endpoint: `${devnet.url}/api/v2/jsonRPC` });
}, 300_000);
afterAll(async () => {
  client?.close();
  await devnet?.close();
});

const keysOf = (type: string) =>
  mnemonicToPrivateKey(devnet.wallets.find((wallet) => wallet.type === type)!.mnemonic.split(" "));

/** A new counter in this style: deployed, then increased in each round, and read immediately. */
async function countsUp(open: (counter: Counter) => OpenedCounter, sender: Sender): Promise<void> {
  const counter = open(new Counter(++ids));
  await counter.sendDeploy(sender, toNano("0.1"));
  expect(await counter.getCount()).toBe(0n);
  for (let round = 1n; round <= rounds; round++) {
    await counter.sendIncrease(sender, toNano("0.05"));
    expect(await counter.getCount()).toBe(round);
  }
}
type OpenedCounter = ReturnType<typeof openContract<Counter>>;

describe.each(["v3r2", "v4r2", "v5r1"] as const)("as @ton/ton has it, with a wallet %s,", (version) => {
  it("counts", async () => {
    const { publicKey, secretKey } = await keysOf(version);
    const at = { workchain: 0, publicKey };
    const sender = {
      v3r2: () => plain.open(WalletContractV3R2.create(at)).sender(secretKey),
      v4r2: () => plain.open(WalletContractV4.create(at)).sender(secretKey),
      v5r1: () => plain.open(WalletContractV5R1.create({ publicKey })).sender(secretKey),
    }[version]();
    await countsUp((counter) => plain.open(counter), sender);
  }, 300_000);
});

describe("as Blueprint has it, with a provider of its own,", () => {
  /** A script gets one: it opens contracts, and its sender is the deployer's wallet. */
  class NetworkProvider {
    readonly #sender: Sender;

    constructor(sender: Sender) {
      this.#sender = sender;
    }

    sender(): Sender {
      return this.#sender;
    }

    open<T extends Contract>(contract: T) {
      return openContract(contract, ({ address, init }) => contractProvider(client, address, init));
    }

    async isContractDeployed(address: Address): Promise<boolean> {
      return (await client.getAddressInformation({ address: address.toString() })).state === "active";
    }
  }

  it("counts", async () => {
    const { publicKey, secretKey } = await keysOf("v4r2");
    const wallet = openContract(WalletContractV4.create({ workchain: 0, publicKey }), ({ address, init }) =>
      contractProvider(client, address, init),
    );
    const provider = new NetworkProvider(wallet.sender(secretKey));
    const counter = new Counter(++ids);
    await provider.open(counter).sendDeploy(provider.sender(), toNano("0.1"));
    expect(await provider.isContractDeployed(counter.address)).toBe(true);
    await countsUp((each) => provider.open(each), provider.sender());
  }, 300_000);
});

describe("as sandbox has it, with treasuries and transactions,", () => {
  const base64 = (cell: Cell) => cell.toBoc().toString("base64");

  /** A sender without a key; `last` is the hash of the transaction of its last message. */
  class Treasury implements Sender {
    readonly address: Address;
    last: string | undefined;

    constructor(address: Address) {
      this.address = address;
    }

    async send({ to, value, bounce, body, init }: SenderArguments): Promise<void> {
      const state_init = init && base64(beginCell().store(storeStateInit(init)).endCell());
      const { tx_hash } = await client.devnet.impersonate({
        from: this.address.toString(),
        to: to.toString(),
        value: String(value),
        ...(body && { body: base64(body) }),
        ...(state_init && { state_init }),
        ...(bounce != null && { bounce }),
      });
      this.last = tx_hash;
    }
  }

  it("counts, and has the transactions", async () => {
    const treasury = new Treasury(Address.parse(devnet.wallets[0]!.address));
    const counter = new Counter(++ids);
    const opened = openContract(counter, ({ address, init }) => contractProvider(client, address, init));
    for (let round = 0n; round < rounds; round++) {
      await opened.sendIncrease(treasury, toNano("0.05"));
      expect(await opened.getCount()).toBe(round + 1n);
      const { transactions } = await client.v3.transactions({ hash: [treasury.last!] });
      expect(transactions.map(({ account }) => Address.parse(account).toString())).toEqual([
        counter.address.toString(),
      ]);
      expect(transactions[0]!.description.compute_ph).toMatchObject({ success: true });
    }
  }, 300_000);
});
