import { z } from "zod";
import { bocBase64, friendlyAddress, hashHex } from "../../forms/values.js";
import { typeName } from "./records.js";

// Results of getTokenData.

const account = z
  .string()
  .describe("The requested account, in the form of the request; raw addresses in upper case.");
const integer = z.string().regex(/^-?\d+$/);
const owner = friendlyAddress.describe("Address of the owner.");

const content = z
  .discriminatedUnion("type", [
    z
      .object({
        type: z.literal("offchain").describe("Stored off-chain."),
        data: z.string().describe("URL of the metadata, usually a JSON document."),
      })
      .describe("Off-chain attributes."),
    z
      .object({
        type: z.literal("onchain").describe("Stored in the contract."),
        data: z
          .record(z.string(), z.string())
          .describe("Attributes by name. `image_data` is in base64; `uri` is the URL of further metadata."),
      })
      .describe("On-chain attributes."),
  ])
  .meta({ id: "TokenContent", description: "Metadata of the token." });

const standardAddress = z
  .object({
    "@type": typeName("addr_std"),
    type: z.literal("addr_std").describe("Type of the address, as in `@type`."),
    workchain_id: z.int().describe("The workchain."),
    address: hashHex.describe("Id of the account."),
  })
  .describe("An account's address.");

const domainRecord = z
  .discriminatedUnion("@type", [
    z
      .object({
        "@type": typeName("dns_smc_address"),
        smc_addr: standardAddress.describe("The contract, usually the owner's wallet."),
      })
      .describe("A contract."),
    z
      .object({ "@type": typeName("dns_adnl_address"), adnl_addr: hashHex.describe("Its ADNL address.") })
      .describe("A site in the TON network."),
    z
      .object({
        "@type": typeName("dns_next_resolver"),
        resolver: standardAddress.describe("Resolver of the names below."),
      })
      .describe("Another resolver."),
    z
      .object({ "@type": typeName("dns_storage_address"), bag_id: hashHex.describe("Id of the bag.") })
      .describe("A bag in TON Storage."),
  ])
  .describe("A record of the name.");

const domain = z
  .object({
    domain: z.string().describe("The name, ending in `.ton`."),
    data: z
      .record(z.string(), domainRecord)
      .describe(
        "Records by category: `wallet`, `site`, `storage`, `dns_next_resolver`, or the category's key in hex.",
      ),
  })
  .describe("An NFT item that is a domain name.");

function tokenType<const Name extends string>(name: Name) {
  return z.literal(name).describe("Type of the contract.");
}

export const tokenData = z
  .discriminatedUnion("@type", [
    z
      .object({
        "@type": typeName("ext.tokens.jettonMasterData"),
        address: account,
        contract_type: tokenType("jetton_master"),
        total_supply: integer.describe("Total supply in the smallest unit."),
        mintable: z.boolean().describe("Whether more can be minted."),
        admin_address: friendlyAddress.optional().describe("Address of the admin; absent if there is none."),
        jetton_content: content,
        jetton_wallet_code: bocBase64.describe("Code of the jetton's wallets."),
      })
      .describe("A jetton."),
    z
      .object({
        "@type": typeName("ext.tokens.jettonWalletData"),
        address: account,
        contract_type: tokenType("jetton_wallet"),
        balance: integer.describe("Balance in the smallest unit."),
        owner,
        jetton: friendlyAddress.describe("Address of the jetton."),
        mintless_is_claimed: z
          .boolean()
          .optional()
          .describe("Whether the owner has claimed the airdrop; mintless jettons only."),
        jetton_wallet_code: bocBase64.describe("Code of the jetton's wallets."),
      })
      .describe("A jetton wallet."),
    z
      .object({
        "@type": typeName("ext.tokens.nftCollectionData"),
        address: account,
        contract_type: tokenType("nft_collection"),
        next_item_index: integer.describe(
          "Index of the next item to mint; -1 if indices are not sequential.",
        ),
        owner_address: owner.optional(),
        collection_content: content,
      })
      .describe("A collection of NFTs."),
    z
      .object({
        "@type": typeName("ext.tokens.nftItemData"),
        address: account,
        contract_type: tokenType("nft_item"),
        init: z.boolean().describe("Whether the collection has initialized the item."),
        index: integer.describe("Index in the collection."),
        collection_address: friendlyAddress
          .optional()
          .describe("Address of the collection; absent if there is none."),
        owner_address: owner.optional(),
        content: z.union([content, domain]).describe("Metadata of the item."),
      })
      .describe("An NFT."),
  ])
  .describe("Data of the token, by contract type.");

export type TokenData = z.output<typeof tokenData>;
export type TokenContentRecord = z.output<typeof content>;
export type DomainRecord = z.output<typeof domainRecord>;
