import { z } from "zod";
import { hashBase64, integerText, rawAddressUpper } from "../../../forms/values.js";
import { answerExtras, decimal } from "../records.js";
import { nftItem } from "./nfts.js";

const wholeNumber = z.int();

const saleDetails = z
  .object({
    is_complete: z.boolean().optional().describe("Whether it is sold or cancelled."),
    full_price: integerText.optional().describe("Price in nanotons."),
    marketplace_fee_address: rawAddressUpper.optional().describe("Who gets the fee of the marketplace."),
    marketplace_fee: integerText.optional().describe("Fee of the marketplace in nanotons."),
    royalty_address: rawAddressUpper.optional().describe("Who gets the royalty."),
    royalty_amount: integerText.optional().describe("Royalty in nanotons."),
  })
  .describe("A sale at a fixed price.");

const auctionDetails = z
  .object({
    end_flag: z.boolean().optional().describe("Whether it has ended."),
    end_time: wholeNumber.optional().describe("When it ends."),
    last_bid: integerText.optional().describe("Highest bid; 0 if there is none."),
    last_member: rawAddressUpper.optional().describe("Highest bidder."),
    min_step: wholeNumber.optional().describe("Smallest step between bids, in percent."),
    mp_fee_address: rawAddressUpper.optional().describe("Who gets the fee of the marketplace."),
    mp_fee_factor: wholeNumber.optional().describe("Fee of the marketplace: its numerator."),
    mp_fee_base: wholeNumber.optional().describe("Its denominator."),
    royalty_fee_address: rawAddressUpper.optional().describe("Who gets the royalty."),
    royalty_fee_factor: wholeNumber.optional().describe("Royalty: its numerator."),
    royalty_fee_base: wholeNumber.optional().describe("Its denominator."),
    max_bid: integerText.optional().describe("A bid of this amount ends the auction; 0 for none."),
    min_bid: integerText.optional().describe("Smallest first bid."),
    last_bid_at: wholeNumber.optional().describe("Time of the highest bid."),
    is_canceled: z.boolean().optional().describe("Whether it was cancelled."),
  })
  .describe("An auction.");

const telemintDetails = z
  .object({
    token_name: z.string().optional().describe("Name or number in Telegram."),
    bidder_address: rawAddressUpper.optional().describe("Highest bidder."),
    bid: integerText.optional().describe("Highest bid in nanotons; 0 if there is none."),
    bid_ts: integerText.optional().describe("Time of the highest bid."),
    min_bid: integerText.optional().describe("Smallest next bid in nanotons."),
    end_time: wholeNumber.optional().describe("When the auction ends."),
    beneficiary_address: rawAddressUpper.optional().describe("Who gets the price."),
    initial_min_bid: integerText.optional().describe("Smallest first bid in nanotons."),
    max_bid: integerText.optional().describe("A bid of this amount ends the auction; 0 for none."),
    min_bid_step: integerText.optional().describe("Smallest step between bids, in percent."),
    min_extend_time: integerText.optional().describe("Seconds that the auction lasts after a bid, at least."),
    duration: integerText.optional().describe("Seconds that the auction lasts."),
    royalty_numerator: wholeNumber.optional().describe("Royalty: its numerator."),
    royalty_denominator: wholeNumber.optional().describe("Its denominator."),
    royalty_destination: rawAddressUpper.optional().describe("Who gets the royalty."),
  })
  .describe("An auction of a name or a number of Telegram.");

/** An item of Telegram that is not recognised as an item: its address and its name. */
const telemintItem = z
  .object({
    address: rawAddressUpper.describe("The item."),
    init: z.boolean().describe("Whether the item is initialized."),
    index: z.string().describe("Its name or number in Telegram."),
  })
  .describe("An item of Telegram without its data.");

const common = {
  address: rawAddressUpper.describe("The contract that sells."),
  nft_address: rawAddressUpper.optional().describe("The item on sale."),
  nft_owner_address: rawAddressUpper.optional().describe("The seller."),
  marketplace_address: rawAddressUpper.optional().describe("The marketplace."),
  created_at: wholeNumber.optional().describe("When the sale began."),
  last_transaction_lt: decimal.optional().describe("Logical time of the contract's last transaction."),
  code_hash: hashBase64.optional().describe("Hash of its code."),
  data_hash: hashBase64.optional().describe("Hash of its data."),
  nft_item: z.union([nftItem, telemintItem]).optional().describe("The item on sale, if it is known."),
};

export const nftSale = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("getgems_sale").describe("A sale."), ...common, details: saleDetails }),
    z.object({
      type: z.literal("getgems_auction").describe("An auction."),
      ...common,
      details: auctionDetails,
    }),
    z.object({
      type: z.literal("telemint").describe("A Telegram auction."),
      ...common,
      details: telemintDetails,
    }),
  ])
  .meta({ id: "NftSale", description: "Object and terms of a sale." });

export const nftSales = z
  .object({
    nft_sales: z.array(nftSale).describe("The sales."),
    ...answerExtras,
  })
  .meta({ id: "NftSales" });
