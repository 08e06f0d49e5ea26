import SQL from "sql-template-tag";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { rawAddressToBytes } from "../../server/store/address-bytes.js";
import {
  claimLinks,
  queueLinks,
  replaceFlags,
  retryLink,
  storeFetched,
  type TokenLink,
} from "../../server/store/queries/tokens/metadata.js";
import type { LinkingToken } from "../../server/store/tables/metadata.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { describeStory } from "../helpers/stories/describe-story.js";

const now = 1_700_000_000_000;

describeStory((story) => {
  const queries = () => queriesOf(story.fresh.database);
  /** A jetton and an item without metadata on the chain, and a jetton with some. */
  let bare: TokenLink;
  let item: TokenLink & { index: string };
  let described: { address: string; content: Record<string, string> };

  beforeAll(async () => {
    const { jetton_masters } = await story.ask("jetton/masters", "limit=1000");
    const { nft_items } = await story.ask("nft/items", "limit=1000");
    const master = jetton_masters.find(({ jetton_content }) => jetton_content?.["uri"])!;
    bare = { address: master.address, type: "jetton_masters", url: master.jetton_content!["uri"]! };
    // The jetton of the story states some metadata beside its link.
    await queries().query(
      SQL`update jetton_masters set jetton_content = ${JSON.stringify({ uri: bare.url })}::jsonb where jetton_content ->> 'uri' = ${bare.url}`,
    );
    const nft = nft_items.find(({ content }) => content?.["uri"]?.startsWith("https:"))!;
    item = { address: nft.address, type: "nft_items", url: nft.content!["uri"]!, index: nft.index };
    const other = jetton_masters.find(({ jetton_content }) => jetton_content?.["symbol"])!;
    described = { address: other.address, content: other.jetton_content as Record<string, string> };
  });
  afterEach(async () => {
    await queries().query(SQL`delete from address_metadata`);
    await queries().query(SQL`delete from address_metadata_flags`);
  });

  const shown = async (address: string) => (await story.ask("metadata", `address=${address}`))[address]!;
  const queue = async (...links: TokenLink[]) => {
    await queueLinks(queries(), links, now);
    return claimLinks(queries(), { now, claimEndsAt: now + 1, limit: 100 });
  };
  const store = async (
    { address, type, url }: TokenLink,
    result: Parameters<typeof storeFetched>[2]["result"],
    expiresAt = now + 1,
  ) => {
    const [claimed] = await queue({ address, type, url });
    await storeFetched(queries(), claimed!, { result, expiresAt });
  };
  const flag = (address: string, flags: { isNsfw?: boolean; isScam?: boolean; fields?: object }) =>
    queries().transaction((transaction) =>
      replaceFlags(transaction, [
        { address, isNsfw: false, isScam: false, ...flags, fields: { ...flags.fields } },
      ]),
    );

  const notFetched = (type: LinkingToken, more = {}) => ({
    is_indexed: false,
    token_info: [{ type, ...more }],
  });

  describe("Metadata that a token links to", () => {
    it("is not indexed before it was fetched, and while a failed fetch is retried", async () => {
      expect(await shown(bare.address)).toEqual(notFetched("jetton_masters"));
      expect(await shown(item.address)).toEqual(notFetched("nft_items", { nft_index: item.index }));
      const [claimed] = await queue(bare);
      expect(await shown(bare.address)).toEqual(notFetched("jetton_masters"));
      await retryLink(queries(), claimed!, { error: "status", at: now + 5000 });
      expect(await shown(bare.address)).toEqual(notFetched("jetton_masters"));
    });

    it("is shown once it was fetched, also while it is fetched again", async () => {
      const extra = { decimals: "6", social: ["https://a.example"] };
      await store(bare, {
        name: "Dollar",
        symbol: "USD",
        description: "d",
        image: "https://i.example/1",
        extra,
      });
      const entry = {
        is_indexed: true,
        token_info: [
          {
            valid: true,
            type: "jetton_masters",
            name: "Dollar",
            symbol: "USD",
            description: "d",
            image: "https://i.example/1",
            is_nsfw: false,
            is_scam: false,
            extra: { ...extra, uri: bare.url },
          },
        ],
      };
      expect(await shown(bare.address)).toEqual(entry);
      await queueLinks(queries(), [bare], now + 1);
      expect(await shown(bare.address)).toEqual(entry);
    });

    it("has decimals that can be counted with, or none", async () => {
      for (const [decimals, told] of [
        ["6", "6"],
        [6, 6],
        [null, undefined],
        [{ of: 6 }, undefined],
        [["6"], undefined],
        [true, undefined],
      ]) {
        await store(bare, { name: "Dollar", extra: { decimals, of: "it" } });
        const {
          token_info: [info],
        } = await shown(bare.address);
        expect(info!.extra).toEqual({
          of: "it",
          uri: bare.url,
          ...(told !== undefined && { decimals: told }),
        });
        await queries().query(SQL`delete from address_metadata`);
      }
    });

    it("states no display multiplier, which the contract alone has", async () => {
      const scaled_ui = { numerator: "7", denominator: "2" };
      await store(bare, { name: "Dollar", extra: { scaled_ui, of: "it" } });
      const [info] = (await shown(bare.address)).token_info;
      expect(info!.extra).toEqual({ of: "it", uri: bare.url });
      await queries().query(SQL`delete from address_metadata`);
      const set = (numerator: number | null) =>
        queries().query(SQL`
          update jetton_masters set display_numerator = ${numerator}, display_denominator = ${numerator}
          where address = ${rawAddressToBytes(bare.address)}`);
      // It is known before the metadata are.
      await set(3);
      expect(await shown(bare.address)).toEqual(
        notFetched("jetton_masters", { extra: { scaled_ui: { numerator: "3", denominator: "3" } } }),
      );
      await set(null);
    });

    it("is shown with the tokens of any answer, and with wallets of the jetton", async () => {
      await store(bare, { name: "Dollar", extra: {} });
      await store(item, { name: "Oak", extra: {} });
      const { metadata: items } = await story.ask("nft/items", `address=${item.address}`);
      expect(items[item.address]!.token_info).toMatchObject([
        { valid: true, name: "Oak", nft_index: item.index },
      ]);
      const { jetton_wallets, metadata } = await story.ask(
        "jetton/wallets",
        `jetton_address=${bare.address}`,
      );
      expect(jetton_wallets.length).toBeGreaterThan(0);
      expect(metadata[bare.address]!.token_info).toMatchObject([{ valid: true, name: "Dollar" }]);
    });

    it("is invalid once all tries have failed", async () => {
      await store(bare, { error: "json" });
      await store(item, { error: "json" });
      expect(await shown(bare.address)).toEqual({
        is_indexed: true,
        token_info: [{ valid: false, type: "jetton_masters" }],
      });
      expect(await shown(item.address)).toEqual({
        is_indexed: true,
        token_info: [{ valid: false, type: "nft_items", nft_index: item.index }],
      });
    });

    it("is ignored if the contract does not link to it", async () => {
      await store({ ...bare, url: `${bare.url}?old` }, { name: "Old", extra: {} });
      expect(await shown(bare.address)).toEqual(notFetched("jetton_masters"));
      const before = await shown(described.address);
      await store({ ...bare, address: described.address }, { name: "Other", extra: {} });
      expect(await shown(described.address)).toEqual(before);
    });
  });

  describe("The operator's word", () => {
    it("wins over the chain's, and marks tokens", async () => {
      await flag(described.address, { isScam: true, fields: { name: "Fake", website: "https://a.example" } });
      const { name: _, symbol, description, ...extra } = described.content;
      expect(await shown(described.address)).toEqual({
        is_indexed: true,
        token_info: [
          {
            valid: true,
            type: "jetton_masters",
            name: "Fake",
            symbol,
            description,
            is_nsfw: false,
            is_scam: true,
            extra: { ...extra, website: "https://a.example" },
          },
        ],
      });
    });

    it("makes a token valid only if it describes it", async () => {
      await flag(bare.address, { isScam: true });
      expect(await shown(bare.address)).toEqual(notFetched("jetton_masters"));
      await flag(bare.address, { isNsfw: true, fields: { symbol: "X" } });
      const [info] = (await shown(bare.address)).token_info;
      expect(info).toMatchObject({ valid: true, symbol: "X", is_nsfw: true, is_scam: false });
    });

    it("is replaced as a whole", async () => {
      const before = await shown(described.address);
      await flag(described.address, { isScam: true });
      await flag(bare.address, { isScam: true });
      expect(await shown(described.address)).toEqual(before);
    });
  });
});
