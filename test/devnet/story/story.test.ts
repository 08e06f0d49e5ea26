import { beforeAll, describe, expect, it } from "vitest";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { configAddress, electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import {
  type Participant,
  type Participants,
  participantsOf,
} from "../../../server/devnet/story/participants.js";
import { grantsOf } from "../../../server/devnet/story/scenes/grants.js";
import { jettonsOf } from "../../../server/devnet/story/scenes/jetton-trade.js";
import { marketOf } from "../../../server/devnet/story/scenes/nft-market.js";
import { collectionOf, salesOf } from "../../../server/devnet/story/scenes/nft-trade.js";
import { usernamesOf } from "../../../server/devnet/story/scenes/usernames.js";
import { storyBlocks } from "../../../server/devnet/story/story.js";
import type { StoryBlock } from "../../../server/devnet/story/story-block.js";
import { storyContracts } from "../../../server/devnet/story/story-contracts.js";
import { type DevnetWallets, devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { Address } from "../../../shared/values/address.js";
import { testConfig } from "../../helpers/chain/sample-chain.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { addressIn, SmallWorld } from "./small-world.js";

const seed = "tonwire";
const time = 1_735_689_600;
const slice = (address: Address): StackValue => ({
  type: "slice",
  cell: beginCell().storeAddress(address).endCell(),
});

let wallets: DevnetWallets;
let participants: Participants;
let story: StoryBlock[];
let world: SmallWorld;
/** The transactions caused by each block, by its title. */
const happened = new Map<string, SmallWorld["transactions"]>();

beforeAll(async () => {
  wallets = await devnetWallets(seed);
  participants = participantsOf(seed, wallets);
  story = storyBlocks({ seed, wallets, time });
  world = new SmallWorld(await sharedExecutor(), zeroAccounts());
  for (const { title, messages } of story) {
    const before = world.transactions.length;
    for (const message of messages) world.send(message);
    happened.set(title, world.transactions.slice(before));
  }
});

function zeroAccounts() {
  const electorData = beginCell().storeUint(0, 3).storeCoins(0n).storeUint(0, 32).storeUint(0, 256).endCell();
  const configData = beginCell()
    .storeRef(testConfig)
    .storeUint(0, 32)
    .storeUint(0, 256)
    .storeBit(false)
    .endCell();
  const special = { tick: true, tock: true };
  const elector = { code: contractCode("elector"), data: electorData, special };
  const config = { code: contractCode("config"), data: configData, special };
  return [
    ...[wallets.faucet, ...wallets.prefunded].map(({ wallet: { address }, balance }) => ({
      address,
      balance,
    })),
    { address: electorAddress, balance: 10n ** 9n, init: elector },
    { address: configAddress, balance: 10n ** 9n, init: config },
  ];
}

function characters(): [string, Participant][] {
  return Object.entries(participants);
}

/** Result of each aborted transaction of a block: exit code, action result, bounce. */
function aborted(title: string): string[] {
  return happened.get(title)!.flatMap(({ transaction }) => {
    const description = transaction.description.value;
    if (description.kind !== "ord" || !description.aborted) return [];
    const { computePh, action, bounce } = description;
    const end = computePh.kind === "vm" ? computePh.exitCode : computePh.reason;
    return [`${end}/${action?.value.resultCode ?? "-"}/${bounce?.kind ?? "-"}`];
  });
}

describe("the story", () => {
  it("has about sixty blocks and is deterministic", () => {
    expect(story.length).toBeGreaterThan(55);
    expect(story.length).toBeLessThan(70);
    const hashes = (blocks: StoryBlock[]) =>
      blocks.map(({ messages }) => messages.map((cell) => cell.hashHex()));
    expect(hashes(storyBlocks({ seed, wallets, time }))).toEqual(hashes(story));
    expect(new Set(story.map(({ title }) => title)).size).toBe(story.length);
  });

  it("leaves all wallets deployed, with a seqno that counts all orders except the failed one", () => {
    const orders = new Map([[participants.cleo.address.toRaw(), -1]]);
    for (const { account, transaction } of world.transactions)
      if (transaction.messages.value.inMsg?.value.info.kind === "externalIn")
        orders.set(account, (orders.get(account) ?? 0) + 1);
    for (const [, { address }] of characters()) {
      const [seqno] = world.get(address, "seqno");
      expect(seqno).toEqual({ type: "int", value: BigInt(orders.get(address.toRaw())!) });
    }
  });

  it("uses the jetton wallet addresses of the minters", () => {
    for (const jetton of Object.values(jettonsOf(participants)))
      for (const [, { address }] of characters())
        expect(addressIn(world.get(jetton.address, "get_wallet_address", slice(address))[0])).toBe(
          jetton.walletOf(address).toRaw(),
        );
  });

  it("leaves jetton balances that add up to the supply", () => {
    const { acorn, devDollar } = jettonsOf(participants);
    const balances = (jetton: typeof acorn) => {
      const rows = characters().map(([name, { address }]): [string, bigint] => {
        const wallet = jetton.walletOf(address);
        if (!world.account(wallet)) return [name, 0n];
        const [balance, owner, minter] = world.get(wallet, "get_wallet_data");
        expect([addressIn(owner), addressIn(minter)]).toEqual([address.toRaw(), jetton.address.toRaw()]);
        return [name, (balance as { value: bigint }).value];
      });
      const [supply] = world.get(jetton.address, "get_jetton_data");
      expect(rows.reduce((sum, [, balance]) => sum + balance, 0n)).toBe((supply as { value: bigint }).value);
      return Object.fromEntries(rows.filter(([, balance]) => balance > 0n));
    };
    expect(balances(acorn)).toEqual({
      ann: 18_500_000_000_001n,
      ben: 1_750_000_000_000n,
      cleo: 920_000_000_000_000n,
      eve: 19_223_000_000_000n,
      gus: 20_332_999_999_999n,
      hana: 444_000_000_000n,
      iris: 15_000_000_000_000n,
    });
    expect(balances(devDollar)).toEqual({
      ann: 1_999_000_000n,
      ben: 98_001_000_000n,
      dan: 4_700_000_000_000n,
      finn: 87_654_321_099n,
      iris: 12_345_678_901n,
    });
  });

  it("leaves the NFTs with their owners, four of them sold and three on sale", () => {
    const collection = collectionOf(participants);
    const market = marketOf(participants, time);
    const [nextIndex, , creator] = world.get(collection.address, "get_collection_data");
    expect([nextIndex, addressIn(creator)]).toEqual([
      { type: "int", value: 13n },
      participants.eve.address.toRaw(),
    ]);
    const owners = Array.from({ length: 13 }, (_, index) => {
      const item = collection.item(BigInt(index));
      const value = BigInt(index);
      expect(
        addressIn(world.get(collection.address, "get_nft_address_by_index", { type: "int", value })[0]),
      ).toBe(item.toRaw());
      const owner = addressIn(world.get(item, "get_nft_data")[3]);
      const holders = [...characters(), ...Object.entries(market)];
      return holders.find(([, { address }]) => address.toRaw() === owner)?.[0];
    });
    const first = ["finn", "iris", "gus", "dan", "iris", "eve", "ann"];
    expect(owners).toEqual([...first, "elm", "eve", "maple", "iris", "cedar", "ann"]);
    const complete = Object.values(salesOf(participants, time)).map(
      ({ address }) => world.get(address, "get_sale_data")[1],
    );
    expect(complete).toEqual(Array(3).fill({ type: "int", value: -1n }));
  });

  it("leaves a grant with a whitelist of two, from which one was paid, and one without", () => {
    const { hanas, iriss } = grantsOf(participants, time);
    const { gus, dan } = participants;
    const asked = [gus, dan, participants.finn].map(
      ({ address }) => world.get(hanas.address, "is_whitelisted", slice(address))[0],
    );
    expect(asked).toEqual([-1n, -1n, 0n].map((value) => ({ type: "int", value })));
    expect(world.get(iriss.address, "get_whitelist")).toEqual([{ type: "null" }]);
    const paid = happened.get("Hana pays Gus from her grant")!.map(({ account }) => account);
    expect(paid).toContain(gus.address.toRaw());
  });

  it("leaves a user name sold, one with a bid, and one up for auction without a bid", () => {
    const collection = usernamesOf(participants);
    const items = [0n, 1n, 2n].map((index) => collection.item(index));
    const ownerOf = (item: Address) => addressIn(world.get(item, "get_nft_data")[3]);
    const { finn, gus, hana } = participants;
    expect(items.map(ownerOf)).toEqual([hana.address.toRaw(), undefined, gus.address.toRaw()]);
    const [bidder] = world.get(items[1]!, "get_telemint_auction_state");
    expect(addressIn(bidder)).toBe(finn.address.toRaw());
    expect(world.get(items[2]!, "get_telemint_auction_state")[0]).toEqual({ type: "null" });
  });

  it("names every contract that it deploys", () => {
    const named = storyContracts(participants, time).map(({ address }) => address.toRaw());
    const others = zeroAccounts().map(({ address }) => address.toRaw());
    expect(world.active.filter((address) => !others.includes(address)).sort()).toEqual(
      named.filter((address) => world.active.includes(address)).sort(),
    );
    const absent = storyContracts(participants, time).filter(
      ({ address }) => !world.active.includes(address.toRaw()),
    );
    expect(new Set(absent.map(({ kind }) => kind))).toEqual(new Set(["jetton_wallet"]));
    expect(new Set(named).size).toBe(named.length);
  });

  it("has the intended failures", () => {
    expect(aborted("Money for nobody comes back, unless it may not")).toEqual([
      "noState/-/ok",
      "noState/-/-",
    ]);
    expect(aborted("Gus reaches for Ann's acorns")).toEqual(["705/-/ok"]);
    expect(aborted("Ann sends more acorns than she has")).toEqual(["706/-/ok"]);
    expect(aborted("Ben reaches for Eve's tree")).toEqual(["401/-/ok"]);
    expect(aborted("Hana asks the jetton minter for something it does not know")).toEqual(["65535/-/ok"]);
    expect(aborted("Cleo spends more than she has")).toEqual(["0/37/-"]);
  });

  it("reaches the masterchain and returns", () => {
    const onMasterchain = world.transactions.filter(({ account }) => account.startsWith("-1:"));
    expect(onMasterchain.length).toBeGreaterThanOrEqual(7);
    expect(aborted("Max pays nobody, and has it back")).toEqual(["noState/-/ok"]);
    const stake = happened.get("Finn offers a stake, and no election is on")!;
    expect(stake.map(({ account }) => account)).toEqual([
      participants.finn.address.toRaw(),
      electorAddress.toRaw(),
      participants.finn.address.toRaw(),
    ]);
  });
});
