import { z } from "zod";
import { bocBase64, friendlyAddress, hashHex } from "./results.js";
import { typeName } from "./v2-records.js";

// What getTokenData answers.

const account = z
  .string()
  .describe("The account that was asked about, as it was written; raw addresses in upper case.");
const integer = z.string().regex(/^-?\d+$/);
const owner = friendlyAddress.describe("Address of the owner.");

const content = z
  .discriminatedUnion("type", [
    z
      .object({
        type: z.literal("offchain").describe("Elsewhere."),
        data: z.string().describe("Where to read on, as a rule a JSON document."),
      })
      .describe("Attributes that are kept elsewhere."),
    z
      .object({
        type: z.literal("onchain").describe("In the contract."),
        data: z
          .record(z.string(), z.string())
          .describe("Attributes by name; `image_data` in base64; `uri` says where to read on."),
      })
      .describe("Attributes that are kept in the contract."),
  ])
  .describe("What the token says about itself.");

const standardAddress = z
  .object({
    "@type": typeName("addr_std"),
    type: z.literal("addr_std").describe("Type of the address, once more."),
    workchain_id: z.int().describe("The workchain."),
    address: hashHex.describe("Id of the account."),
  })
  .describe("An account's address.");

const domainRecord = z
  .discriminatedUnion("@type", [
    z
      .object({
        "@type": typeName("dns_smc_address"),
        smc_addr: standardAddress.describe("The contract, as a rule the owner's wallet."),
      })
      .describe("A contract."),
    z
      .object({ "@type": typeName("dns_adnl_address"), adnl_addr: hashHex.describe("Its ADNL address.") })
      .describe("A site in the TON network."),
    z
      .object({
        "@type": typeName("dns_next_resolver"),
        resolver: standardAddress.describe("Who knows the names below."),
      })
      .describe("Another resolver."),
    z
      .object({ "@type": typeName("dns_storage_address"), bag_id: hashHex.describe("Id of the bag.") })
      .describe("A bag in TON Storage."),
  ])
  .describe("What the name stands for.");

const domain = z
  .object({
    domain: z.string().describe("The name, ending in `.ton`."),
    data: z
      .record(z.string(), domainRecord)
      .describe(
        "Records by their category: `wallet`, `site`, `storage`, `dns_next_resolver`, or its key in hex.",
      ),
  })
  .describe("An item that is a domain name.");

function tokenType<const Name extends string>(name: Name) {
  return z.literal(name).describe("What kind of contract it is.");
}

export const tokenData = z
  .discriminatedUnion("@type", [
    z
      .object({
        "@type": typeName("ext.tokens.jettonMasterData"),
        address: account,
        contract_type: tokenType("jetton_master"),
        total_supply: integer.describe("How many there are, in the smallest unit."),
        mintable: z.boolean().describe("Whether there can be more."),
        admin_address: friendlyAddress.optional().describe("Address of the admin; absent without one."),
        jetton_content: content,
        jetton_wallet_code: bocBase64.describe("Code of the jetton's wallets."),
      })
      .describe("A jetton."),
    z
      .object({
        "@type": typeName("ext.tokens.jettonWalletData"),
        address: account,
        contract_type: tokenType("jetton_wallet"),
        balance: integer.describe("How many the owner has, in the smallest unit."),
        owner,
        jetton: friendlyAddress.describe("Address of the jetton."),
        mintless_is_claimed: z
          .boolean()
          .optional()
          .describe("Whether the owner has claimed his share; of mintless jettons only."),
        jetton_wallet_code: bocBase64.describe("Code of the jetton's wallets."),
      })
      .describe("A jetton wallet."),
    z
      .object({
        "@type": typeName("ext.tokens.nftCollectionData"),
        address: account,
        contract_type: tokenType("nft_collection"),
        next_item_index: integer.describe("Index of the item to be minted next; -1 when they have no order."),
        owner_address: owner.optional(),
        collection_content: content,
      })
      .describe("A collection of NFTs."),
    z
      .object({
        "@type": typeName("ext.tokens.nftItemData"),
        address: account,
        contract_type: tokenType("nft_item"),
        init: z.boolean().describe("Whether its collection has minted it."),
        index: integer.describe("Index in its collection."),
        collection_address: friendlyAddress
          .optional()
          .describe("Address of the collection; absent without one."),
        owner_address: owner.optional(),
        content: z.union([content, domain]).describe("What the item says about itself."),
      })
      .describe("An NFT."),
  ])
  .describe("The token, by its kind.");

export type TokenData = z.output<typeof tokenData>;
export type TokenContentRecord = z.output<typeof content>;
export type DomainRecord = z.output<typeof domainRecord>;
