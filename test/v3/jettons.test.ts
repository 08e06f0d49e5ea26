import { describe, expect, it } from "vitest";
import { zeroStateTime } from "../../server/devnet/genesis/genesis.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { leafOf } from "../../server/devnet/story/scenes/airdrop.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { Address } from "../../shared/values/address.js";
import { describeStoryReads, ofBothLengths, type StoryIndex } from "../helpers/stories/describe-story.js";
import { requestsOf, transactionMembers } from "./token-requests.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const { acorn, devDollar } = jettonsOf(participants);
const acornAddress = acorn.address.toRawUpper();
const dollarAddress = devDollar.address.toRawUpper();
const leafAddress = leafOf(participants, zeroStateTime).address.toRawUpper();

type TokenData = { total_supply: string; balance: string; owner: string; jetton: string };
const rawOf = (text: string) => Address.read(text)!.address.toRawUpper();
const tokenData = (story: Pick<StoryIndex, "app">, address: string) =>
  story.app.v2<TokenData>(`getTokenData?address=${address}`);

describeStoryReads((story) => {
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
      expect(second!.jetton_content).toEqual({
        uri: "https://tokens.example/dev-dollar.json",
        name: "Dev dollar",
        symbol: "DEVUSD",
        decimals: "6",
      });
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
        [jetton]: {
          is_indexed: true,
          token_info: [
            {
              valid: true,
              type: "jetton_masters",
              name: "Dev dollar",
              symbol: "DEVUSD",
              is_nsfw: false,
              is_scam: false,
              extra: { uri: "https://tokens.example/dev-dollar.json", decimals: "6" },
            },
          ],
        },
      });
      expect(await story.app.v3(`metadata?address=${address}`)).toEqual(metadata);
    });

    it("come with the same address book and metadata however long the page may be", async () => {
      for (const owner of new Set((await wallets("limit=1000")).map((wallet) => wallet.owner))) {
        const [short, long] = await ofBothLengths(story, "jetton/wallets", `owner_address=${owner}`);
        expect(Object.keys(short.metadata)).not.toEqual([]);
        expect(short).toEqual(long);
      }
    });
  });

  describe("v3.jetton.holders", () => {
    const holders = (query: string) => story.ask("jetton/holders", query);

    it("lists who has a balance, with the share of the supply", async () => {
      const held = await wallets(`jetton_address=${acornAddress}&exclude_zero_balance=true&limit=1000`);
      const { total_supply } = await tokenData(story, acornAddress);
      const answer = await holders(`jetton=${acorn.address}&limit=1000`);
      expect(answer.total_supply).toBe(total_supply);
      expect(answer.holders_count).toBe(held.length);
      expect(answer.jetton_holders).toEqual(
        held.map(({ address, owner, balance }) => ({
          owner,
          jetton_wallet: address,
          balance,
          share: expect.stringMatching(/^[01]\.\d{9}$/),
        })),
      );
      expect(held.length).toBeGreaterThan(2);
      const shares = answer.jetton_holders.map(({ share }) => Number(share));
      expect(shares.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 6);
      const shown = Object.keys(answer.address_book);
      expect(shown).toEqual(expect.arrayContaining(held.flatMap(({ address, owner }) => [address, owner])));
      expect(Object.keys(answer.metadata)).toContain(acornAddress);
    });

    it("pages, and counts the holders on the last page alone", async () => {
      const { jetton_holders: all } = await holders(`jetton=${acornAddress}&limit=1000`);
      const first = await holders(`jetton=${acornAddress}&limit=1`);
      expect([first.jetton_holders, first.holders_count]).toEqual([all.slice(0, 1), undefined]);
      const rest = await holders(`jetton=${acornAddress}&limit=1000&offset=1`);
      expect([rest.jetton_holders, rest.holders_count]).toEqual([all.slice(1), all.length]);
      const behind = await holders(`jetton=${acornAddress}&offset=${all.length + 5}`);
      expect([behind.jetton_holders, behind.holders_count]).toEqual([[], undefined]);
    });

    it("leaves out airdrops that are not claimed", async () => {
      const { jetton_holders } = await holders(`jetton=${leafAddress}&limit=1000`);
      expect(jetton_holders.every(({ balance }) => BigInt(balance) > 0n)).toBe(true);
    });

    it("has nothing of an address that is no jetton, and refuses calls without one", async () => {
      const nobody = await holders(`jetton=${participants.cleo.address}`);
      expect([nobody.jetton_holders, nobody.total_supply, nobody.holders_count]).toEqual([[], null, 0]);
      expect((await story.app.ask("/api/v3/jetton/holders")).status).toBe(422);
    });
  });

  describe("v3.jetton.transfers", () => {
    const transfers = async (query: string) => (await story.ask("jetton/transfers", query)).jetton_transfers;

    it("lists transfer requests to wallets, newest first, without failed ones", async () => {
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=1000");
      const masters = new Map(jetton_wallets.map(({ address, jetton }) => [address, jetton]));
      const requests = requestsOf(story.all, "jetton_transfer").filter(({ transaction }) =>
        masters.has(transaction.account),
      );
      const succeeded = requests.filter(({ transaction }) => !transaction.description.aborted);
      expect(succeeded.length).toBeGreaterThan(10);
      expect(requests.length).toBeGreaterThan(succeeded.length);
      const all = await transfers("limit=1000");
      expect(
        all.map(({ custom_payload, forward_payload, decoded_forward_payload, ...rest }) => ({
          ...rest,
          comment: decoded_forward_payload?.["comment"],
        })),
      ).toEqual(
        succeeded.map(({ transaction, sender, body }) => ({
          ...transactionMembers(transaction),
          query_id: body["query_id"],
          source: sender,
          destination: body["destination"],
          amount: body["amount"],
          source_wallet: transaction.account,
          jetton_master: masters.get(transaction.account),
          response_destination: body["response_destination"],
          decoded_custom_payload: null,
          forward_ton_amount: body["forward_ton_amount"],
          comment: (body["forward_payload"] as { text?: string }).text,
        })),
      );
      const commented = all.filter(
        ({ decoded_forward_payload: decoded }) => decoded?.["@type"] === "text_comment",
      );
      expect(commented.length).toBeGreaterThan(0);
      expect(commented.every(({ forward_payload }) => forward_payload !== null)).toBe(true);
    });

    it("takes one owner as `address`, if it is an address and there is no other", async () => {
      const all = await transfers("limit=1000");
      const { source, destination } = all[0]!;
      const ofSource = await transfers(`limit=1000&owner_address=${source}`);
      expect(ofSource.length).toBeLessThan(all.length);
      expect(await transfers(`limit=1000&address=${source}`)).toEqual(ofSource);
      expect(await transfers(`limit=1000&address=${destination}&owner_address=${source}`)).toEqual(ofSource);
      expect(await transfers("limit=1000&address=nobody")).toEqual(all);
    });

    it("adds the address book and the metadata of the wallets and jettons in it", async () => {
      const { jetton_transfers, address_book, metadata } = await story.ask("jetton/transfers", "limit=1");
      const { source, destination, source_wallet, jetton_master, response_destination } =
        jetton_transfers[0]!;
      const shown = [source, destination, source_wallet, jetton_master, response_destination!];
      expect(Object.keys(address_book).sort()).toEqual([...new Set(shown)].sort());
      expect(Object.keys(metadata).sort()).toEqual([source_wallet, jetton_master].sort());
    });

    it.each([
      ["direction=inwards", "direction should be one of: in, out"],
      ["owner_address=x", 'failed to decode: schema: error converting value for index 0 of "owner_address"'],
      ["jetton_master=x", 'failed to decode: schema: error converting value for "jetton_master"'],
      ["start_utime=x", 'failed to decode: schema: error converting value for "start_utime"'],
    ])("refuses %s", async (query, error) => {
      const { status, json } = await story.app.ask(`/api/v3/jetton/transfers?${query}`);
      expect([status, json]).toEqual([422, { error }]);
    });
  });

  describe("v3.jetton.burns", () => {
    const burns = async (query: string) => (await story.ask("jetton/burns", query)).jetton_burns;

    it("lists burn requests to wallets, newest first", async () => {
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=1000");
      const masters = new Map(jetton_wallets.map(({ address, jetton }) => [address, jetton]));
      const requests = requestsOf(story.all, "jetton_burn");
      expect(requests.length).toBeGreaterThan(0);
      const all = await burns("limit=1000");
      expect(all).toEqual(
        requests.map(({ transaction, sender, body }) => ({
          ...transactionMembers(transaction),
          query_id: body["query_id"],
          owner: sender,
          jetton_wallet: transaction.account,
          jetton_master: masters.get(transaction.account),
          amount: body["amount"],
          response_destination: body["response_destination"],
          custom_payload: null,
          decoded_custom_payload: null,
        })),
      );
      const { owner } = all[0]!;
      expect(await burns(`address=${owner}`)).toEqual(all.filter((each) => each.owner === owner));
    });

    it("adds the address book and the metadata", async () => {
      const { jetton_burns, address_book, metadata } = await story.ask("jetton/burns", "limit=1");
      const { owner, jetton_wallet, jetton_master, response_destination } = jetton_burns[0]!;
      const shown = [owner, jetton_wallet, jetton_master, response_destination!];
      expect(Object.keys(address_book).sort()).toEqual([...new Set(shown)].sort());
      expect(Object.keys(metadata).sort()).toEqual([jetton_wallet, jetton_master].sort());
    });
  });
});
