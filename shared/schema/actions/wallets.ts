import { z } from "zod";
import { rawAddressUpper } from "../results.js";
import { account, amount, boc, flag, integer, queryId, source, text } from "./fields.js";

const multisig = account("The multisig.");
const order = account("The order.");
const orderSeqno = amount("Number of the order.");
const expirationDate = integer("Unix time at which the order expires.");
const orderBoc = boc("Actions of the order.");
const vesting = account("The vesting contract.");
const subscription = {
  subscriber: account("Account that pays."),
  beneficiary: rawAddressUpper.optional().describe("Account that is paid."),
  subscription: account("The subscription."),
};

export const walletActions = {
  subscribe: z.object({ ...subscription, amount: amount("Nanotons.") }),
  unsubscribe: z.object({ ...subscription, amount: amount("Nanotons.").optional() }),
  multisig_create_order: z.object({
    query_id: queryId,
    order_seqno: orderSeqno,
    is_created_by_signer: flag("Whether a signer created it."),
    is_signed_by_creator: flag("Whether its creator approved it at once."),
    creator_index: integer("Index of the creator."),
    expiration_date: expirationDate,
    order_boc: orderBoc,
    source,
    destination: multisig,
    destination_order: order,
  }),
  multisig_approve: z.object({
    signer_index: integer("Index of the signer."),
    exit_code: integer("Exit code of a refusal."),
    source,
    destination: order,
  }),
  multisig_execute: z.object({
    query_id: queryId,
    order_seqno: orderSeqno,
    expiration_date: expirationDate,
    approvals_num: integer("Number of approvals."),
    signers_hash: text("Hash of the signers."),
    order_boc: orderBoc,
    source: order,
    destination: multisig,
  }),
  vesting_send_message: z.object({
    query_id: queryId,
    message_boc: boc("The message."),
    source,
    vesting,
    destination: account("Receiver of the message."),
    amount: amount("Nanotons that the message carries."),
  }),
  vesting_add_whitelist: z.object({
    query_id: queryId,
    accounts_added: z.array(rawAddressUpper).describe("The added accounts."),
    source,
    vesting,
  }),
};
