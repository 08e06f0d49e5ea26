import { z } from "zod";
import { bocBase64, integerText, quantity, rawAddressUpper } from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { addressBook, decimal, nullableAddress } from "../records.js";
import { recognisedState } from "../tokens/jettons.js";

const threshold = z.int().describe("Number of approvals that an order needs.");
const addresses = z.array(rawAddressUpper);

export const orderAction = z
  .object({
    destination: nullableAddress.describe("Receiver of the message; `null` if there is no message."),
    value: decimal.nullable().describe("Nanotons that it carries; `null` if there is no message."),
    body_raw: bocBase64.nullable().describe("Its body; `null` if there is no message."),
    parsed: z.boolean().describe("Whether the action could be read."),
    error: z.string().nullable().describe("Why it could not be read; `null` if it could."),
    parsed_body: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        "Members of the type; `null` if the action could not be read. A `query_id` is a number with all its digits.",
      ),
    parsed_body_type: z
      .string()
      .describe(
        "`ton_transfer`, `jetton_transfer`, `jetton_burn`, `jetton_mint`, `nft_transfer`, `jetton_top_up`, `jetton_change_admin`, `jetton_claim_admin`, `jetton_change_content`, `jetton_call_to`, `jetton_set_status`, `single_nominator_withdraw`, `single_nominator_change_validator`, `vesting_internal_transfer`, `multisig_update_params`, or `unknown` with the opcode and the body.",
      ),
    send_mode: quantity.describe("Send mode of the message; 0 if there is none."),
  })
  .meta({
    id: "OrderAction",
    description: "An action of an order: a message to send, or new parameters of the multisig wallet.",
  });

export const multisigOrder = z
  .object({
    address: rawAddressUpper.describe("The order."),
    multisig_address: rawAddressUpper.describe("Its multisig wallet."),
    order_seqno: integerText.describe("Its number in the wallet."),
    threshold,
    sent_for_execution: z.boolean().describe("Whether it has been sent to the wallet for execution."),
    approvals_mask: integerText.describe("Bit n is set if signer n has approved."),
    approvals_num: z.int().describe("Number of approvals."),
    expiration_date: z.int().describe("Unix time from which on it cannot be executed."),
    order_boc: bocBase64.describe("Its actions as a dictionary."),
    signers: addresses.describe("Who may approve, by number."),
    ...recognisedState,
    actions: z
      .array(orderAction)
      .nullable()
      .describe("Its actions; `null` if they were not asked for or cannot be read."),
  })
  .meta({ id: "MultisigOrder", description: "An order of a multisig wallet." });

export const multisig = z
  .object({
    address: rawAddressUpper.describe("The multisig wallet."),
    next_order_seqno: integerText.describe("Number of the next order; -1 if orders may have any number."),
    threshold,
    signers: addresses.describe("Who may propose and approve orders."),
    proposers: addresses.describe("Who may propose orders only."),
    ...recognisedState,
    orders: z.array(multisigOrder).describe("Its orders, in the order in which they appeared."),
  })
  .meta({ id: "Multisig", description: "A multisig wallet, version 2." });

export const multisigs = z
  .object({
    multisigs: z.array(multisig).describe("The multisig wallets."),
    address_book: addressBook,
    ...nextCursor,
  })
  .meta({ id: "Multisigs" });

export const multisigOrders = z
  .object({
    orders: z.array(multisigOrder).describe("The orders."),
    address_book: addressBook,
    ...nextCursor,
  })
  .meta({ id: "MultisigOrders" });
