import { describe, expect, it } from "vitest";
import { zeroStateTime } from "../../server/devnet/genesis/genesis.js";
import { leafOf } from "../../server/devnet/story/airdrop.js";
import { jettonsOf } from "../../server/devnet/story/jetton-trade.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { Address } from "../../shared/values/address.js";
import { describeStory, type StoryIndex } from "../helpers/describe-story.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const { acorn, devDollar } = jettonsOf(participants);
const acornAddress = acorn.address.toRawUpper();
const dollarAddress = devDollar.address.toRawUpper();
const leafAddress = leafOf(participants, zeroStateTime).address.toRawUpper();

type TokenData = { total_supply: string; balance: string; owner: string; jetton: string };
const rawOf = (text: string) => Address.read(text)!.address.toRawUpper();
const tokenData = (story: StoryIndex, address: string) =>
  story.app.v2<TokenData>(`getTokenData?address=${address}`);

describeStory((story) => {
  const masters = async (query: string) => (await story.ask("jetton/masters", query)).jetton_masters;
  const wallets = async (query: string) => (await story.ask("jetton/wallets", query)).jetton_wallets;

  describe("v3.jetton.masters", () => {
    it("lists the jettons of the chain, oldest first, as their contracts describe themselves", async () => {
      const all = await masters("");
      expect(all.map(({ address }) => address)).toEqual([acornAddress, dollarAddress, leafAddress]);
      const [first, second] = all;
      const { total_supply } = await tokenData(story, acornAddress);
      const { accounts } = await story.ask("accountStates", `address=${acornAddress}`);
      const { code_hash, data_hash, last_transaction_lt } = accounts[0]!;
      expect(first).toEqual({
        address: acornAddress,
        total_supply,
        mintable: true,
        admin_address: participants.cleo.address.toRawUpper(),
        jetton_content: {
          name: "Acorn",
          symbol: "ACORN",
          description: "Grows on the devnet. Worth nothing anywhere.",
          decimals: "9",
        },
        jetton_wallet_code_hash: expect.any(String),
        code_hash,
        data_hash,
        last_transaction_lt,
      });
      expect(second!.jetton_content).toEqual({ uri: "https://tokens.example/dev-dollar.json" });
    });

    it("filters by address and by admin, and pages", async () => {
      const [first, second] = await masters("");
      expect(await masters(`address=${dollarAddress}`)).toEqual([second]);
      expect(await masters(`admin_address=${participants.cleo.address}`)).toEqual([first]);
      expect(await masters(`admin_address=${participants.cleo.address}&address=${dollarAddress}`)).toEqual(
        [],
      );
      expect(await masters("limit=1&offset=1")).toEqual([second]);
    });

    it("adds the address book and the metadata of the jettons", async () => {
      const { address_book, metadata } = await story.ask("jetton/masters", `address=${acornAddress}`);
      expect(address_book[acornAddress]!.interfaces).toEqual(["jetton_master"]);
      expect(metadata).toEqual({
        [acornAddress]: {
          is_indexed: true,
          token_info: [
            {
              valid: true,
              type: "jetton_masters",
              name: "Acorn",
              symbol: "ACORN",
              description: "Grows on the devnet. Worth nothing anywhere.",
              is_nsfw: false,
              is_scam: false,
              extra: { decimals: "9" },
            },
          ],
        },
      });
    });
  });

  describe("v3.jetton.wallets", () => {
    it("lists every wallet by balance, as the wallets themselves answer", async () => {
      const all = await wallets("limit=1000");
      expect(all.length).toBeGreaterThan(4);
      for (const { address, balance, owner, jetton } of all) {
        const data = await tokenData(story, address);
        expect({ balance, owner, jetton }).toEqual({
          balance: data.balance,
          owner: rawOf(data.owner),
          jetton: rawOf(data.jetton),
        });
      }
      const balances = all.map(({ balance }) => BigInt(balance));
      expect(balances).toEqual([...balances].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      const rising = await wallets("limit=1000&sort=asc");
      expect(rising.map(({ balance }) => BigInt(balance))).toEqual(balances.reverse());
      expect(rising.slice(2, 4)).toEqual(await wallets("limit=2&offset=2&sort=asc"));
    });

    it("has the wallets that the jettons compute for the participants", async () => {
      const listed = new Set((await wallets("limit=1000")).map(({ address }) => address));
      for (const jetton of [acorn, devDollar])
        for (const { address } of Object.values(participants)) {
          const expected = jetton.walletOf(address).toRawUpper();
          const { status } = await story.app.ask(`/api/v2/getTokenData?address=${expected}`);
          expect([expected, listed.has(expected)]).toEqual([expected, status === 200]);
        }
    });

    it("filters by address, owner, jetton and balance", async () => {
      const all = await wallets("limit=1000");
      const [{ address, owner, jetton }] = all as [(typeof all)[number]];
      expect(await wallets(`address=${address}`)).toEqual([all[0]]);
      expect(await wallets(`owner_address=${owner}`)).toEqual(all.filter((each) => each.owner === owner));
      expect(await wallets(`jetton_address=${jetton}&limit=100`)).toEqual(
        all.filter((each) => each.jetton === jetton),
      );
      expect(await wallets(`owner_address=${owner}&jetton_address=${acornAddress},${dollarAddress}`)).toEqual(
        all.filter((each) => each.owner === owner),
      );
      expect(await wallets("exclude_zero_balance=true&limit=1000")).toEqual(
        all.filter(({ balance }) => balance !== "0"),
      );
    });

    it("refuses several jettons without exactly one owner", async () => {
      const { status, json } = await story.app.ask(
        `/api/v3/jetton/wallets?jetton_address=${acornAddress}&jetton_address=${dollarAddress}`,
      );
      expect([status, json]).toEqual([
        422,
        { error: "exact one owner_address required for multiple jetton_address" },
      ]);
    });

    it("adds the metadata of the wallets and of their jettons", async () => {
      const [wallet] = await wallets(`jetton_address=${dollarAddress}&limit=1`);
      const { address, balance, owner, jetton } = wallet!;
      const { metadata } = await story.ask("jetton/wallets", `address=${address}`);
      expect(metadata).toEqual({
        [address]: {
          is_indexed: true,
          token_info: [{ valid: true, type: "jetton_wallets", extra: { balance, owner, jetton } }],
        },
        // The metadata behind its link is not fetched.
        [jetton]: { is_indexed: false, token_info: [{ type: "jetton_masters" }] },
      });
      expect(await story.app.v3(`metadata?address=${address}`)).toEqual(metadata);
    });
  });
});
