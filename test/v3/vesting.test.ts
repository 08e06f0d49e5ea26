import { beforeAll, describe, expect, it } from "vitest";
import { contractCode } from "../../server/devnet/contracts/codes.js";
import type { Devnet } from "../../server/devnet/devnet.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import type { Address } from "../../shared/values/address.js";
import { ton } from "../helpers/chain/devnet.js";
import { vestingData } from "../helpers/contracts/vesting-contract.js";
import { describeContracts } from "../helpers/index/describe-contracts.js";
import { idOf, place, someAddress } from "../helpers/index/detection.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

const [alice, bob, cleo, dave] = [0xa1, 0xb0, 0xc1, 0xd0].map(someAddress) as [
  Address,
  Address,
  Address,
  Address,
];
const [first, second, third] = [0x13, 0x12, 0x11].map(someAddress) as [Address, Address, Address];
const raw = (address: Address) => address.toRawUpper();

async function prepare(devnet: Devnet): Promise<void> {
  const { controls } = devnet;
  const code = contractCode("vesting wallet");
  const states: [Address, Parameters<typeof vestingData>[0]][] = [
    [first, { sender: alice, owner: bob, whitelist: [cleo, bob] }],
    [second, { sender: bob, owner: alice }],
    [third, { sender: alice, owner: cleo, whitelist: [dave] }],
  ];
  for (const [address, state] of states) {
    await place(devnet, address, code, vestingData(state));
    await controls.faucet(idOf(address), ton);
  }
  await controls.mine(1);
}

describeContracts((index) => {
  beforeAll(async () => {
    await prepare(index.devnet);
    await index.catchUp();
  });

  const list = async (query: string) => (await index.ask("vesting", query)).vesting_contracts;
  const named = async (query: string) => (await list(query)).map(({ address }) => address);

  describe("v3.vesting", () => {
    it("lists vesting wallets as their contracts describe them", async () => {
      expect(await index.ask("vesting", `contract_address=${first}`)).toEqual({
        vesting_contracts: [
          {
            address: raw(first),
            start_time: 1_700_000_000,
            total_duration: 31_104_000,
            unlock_period: 2_592_000,
            cliff_duration: 5_184_000,
            sender_address: raw(alice),
            owner_address: raw(bob),
            total_amount: String(10n ** 18n),
            whitelist: [raw(bob), raw(cleo)],
          },
        ],
        address_book: Object.fromEntries(
          [first, alice, bob, cleo].map((address) => [raw(address), expect.anything()]),
        ),
      });
    });

    it("lists in order of appearance, for any sort", async () => {
      expect(await named(`wallet_address=${alice}`)).toEqual([first, second, third].map(raw));
      expect(await named(`wallet_address=${alice}&sort=desc`)).toEqual([first, second, third].map(raw));
    });

    it("requires exactly one of both filters", async () => {
      const missing = "at least one of contract_address or wallet_address is required";
      const both = "only one of contract_address or wallet_address should be specified";
      expect(await index.refusal("vesting")).toEqual([422, missing]);
      expect(await index.refusal("vesting?check_whitelist=true")).toEqual([422, missing]);
      expect(await index.refusal(`vesting?contract_address=${first}&wallet_address=${bob}`)).toEqual([
        422,
        both,
      ]);
      expect(await index.call("v3.vesting", {})).toMatchObject({ error: { code: -32602, message: missing } });
    });
  });
});

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));

describeStoryReads((story) => {
  describe("v3.vesting of the story", () => {
    it("are Hana's grant, which has a whitelist, and Iris's, which has none", async () => {
      const { ann, eve, gus, dan: whitelisted, hana, iris } = participants;
      const wallets = [hana, iris].map(({ address }) => `wallet_address=${address}`).join("&");
      const { vesting_contracts } = await story.ask("vesting", wallets);
      expect(new Set(vesting_contracts[0]!.whitelist)).toEqual(
        new Set([gus, whitelisted].map((each) => raw(each.address))),
      );
      expect(vesting_contracts).toMatchObject([
        {
          owner_address: raw(hana.address),
          sender_address: raw(ann.address),
          total_amount: String(240n * ton),
        },
        { owner_address: raw(iris.address), sender_address: raw(eve.address), whitelist: [] },
      ]);
      const gusCanGet = await story.ask("vesting", `wallet_address=${gus.address}&check_whitelist=true`);
      expect(gusCanGet.vesting_contracts).toEqual(vesting_contracts.slice(0, 1));
    });
  });
});
