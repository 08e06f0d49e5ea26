import { z } from "zod";
import { bocBase64, hashBase64, rawAddressUpper, unixTime } from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { answerExtras, decimal, nullableAddress } from "../records.js";

/** An address, or the empty text if there is none. */
const addressOrBlank = z.string().regex(/^(?:-?\d+:[0-9A-F]{64})?$/);

const payload = (what: string) =>
  bocBase64.nullable().describe(`${what} as a bag of cells; \`null\` if there is none.`);
const decoded = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe("The payload's content with its scheme in `@type`; `null` for unknown schemes.");

const query_id = decimal.describe("Number that the sender gave to the request.");
const transaction = {
  transaction_hash: hashBase64.describe("The transaction that received the request."),
  transaction_lt: decimal.describe("Its logical time."),
  transaction_now: unixTime.describe("Its unix time."),
  transaction_aborted: z.boolean().describe("Whether the request failed."),
};
const response_destination = nullableAddress.describe(
  "Receiver of the unspent coins; `null` if there is none.",
);
const custom_payload = payload("Payload for the contract");
const forwarded = {
  forward_payload: payload("Payload for the receiver, if it is in a separate cell,"),
  decoded_forward_payload: decoded,
};
const trace_id = hashBase64.describe("The trace of the transaction.");

export const jettonTransfer = z
  .object({
    query_id,
    source: rawAddressUpper.describe("The owner who sends."),
    destination: addressOrBlank.describe("The owner who receives; empty if there is none."),
    amount: decimal.describe("Amount in indivisible units of the jetton."),
    source_wallet: rawAddressUpper.describe("The sender's jetton wallet."),
    jetton_master: rawAddressUpper.describe("The jetton master."),
    ...transaction,
    response_destination,
    custom_payload,
    decoded_custom_payload: decoded,
    forward_ton_amount: decimal.describe("Nanotons sent along to the receiver."),
    ...forwarded,
    trace_id,
  })
  .meta({ id: "JettonTransfer", description: "A transfer of jettons." });

export const jettonBurn = z
  .object({
    query_id,
    owner: rawAddressUpper.describe("The owner who burns."),
    jetton_wallet: rawAddressUpper.describe("The owner's jetton wallet."),
    jetton_master: rawAddressUpper.describe("The jetton master."),
    ...transaction,
    amount: decimal.describe("Amount in indivisible units of the jetton."),
    response_destination,
    custom_payload,
    decoded_custom_payload: decoded,
    trace_id,
  })
  .meta({ id: "JettonBurn", description: "A burn of jettons." });

export const nftTransfer = z
  .object({
    query_id,
    nft_address: rawAddressUpper.describe("The item."),
    nft_collection: addressOrBlank.describe("Its collection; empty for an item without one."),
    ...transaction,
    old_owner: rawAddressUpper.describe("Who asked for the transfer."),
    new_owner: addressOrBlank.describe("The new owner; empty if there is none."),
    response_destination,
    custom_payload,
    decoded_custom_payload: decoded,
    forward_amount: decimal.describe("Nanotons sent along to the new owner."),
    ...forwarded,
    trace_id,
  })
  .meta({ id: "NftTransfer", description: "A transfer of an NFT item." });

export const jettonTransfers = z
  .object({
    jetton_transfers: z.array(jettonTransfer).describe("The transfers."),
    ...answerExtras,
    ...nextCursor,
  })
  .meta({ id: "JettonTransfers" });

export const jettonBurns = z
  .object({
    jetton_burns: z.array(jettonBurn).describe("The burns."),
    ...answerExtras,
    ...nextCursor,
  })
  .meta({ id: "JettonBurns" });

export const nftTransfers = z
  .object({
    nft_transfers: z.array(nftTransfer).describe("The transfers."),
    ...answerExtras,
    ...nextCursor,
  })
  .meta({ id: "NftTransfers" });
