import { queryId, source, value } from "./common.js";
import { action } from "./declare.js";
import { account, accounts, amount, boc, flag, integer, knownAccount, optionally, text } from "./member.js";

const multisig = account("The multisig.").in("destination");
const order = account("The order.");
const orderSeqno = amount("Number of the order.");
const expirationDate = integer("Unix time at which the order expires.");
const orderBoc = boc("Actions of the order.");
const vesting = account("The vesting contract.").in("destination");
const subscription = {
  subscriber: account("Account that pays.").in("source"),
  beneficiary: knownAccount("Account that is paid.").in("destination"),
  subscription: account("The subscription.").in("destination_secondary"),
};
const paid = amount("Nanotons.").in("amount");
const wallet = account("The wallet.").in("destination");

export const walletActions = {
  subscribe: action([28, "v1"], { ...subscription, amount: paid }),
  unsubscribe: action([29, "v1"], { ...subscription, amount: optionally(paid).rare() }),
  multisig_create_order: action([49, "v2", "multisig_create_order_data"], {
    query_id: queryId,
    order_seqno: orderSeqno,
    is_created_by_signer: flag("Whether a signer created it."),
    is_signed_by_creator: flag("Whether its creator approved it at once."),
    creator_index: integer("Index of the creator."),
    expiration_date: expirationDate,
    order_boc: orderBoc,
    source,
    destination: multisig,
    destination_order: order.in("destination_secondary"),
  }),
  multisig_approve: action([50, "v2", "multisig_approve_data"], {
    signer_index: integer("Index of the signer."),
    exit_code: integer("Exit code of a refusal."),
    source,
    destination: order.in("destination"),
  }),
  multisig_execute: action([51, "v2", "multisig_execute_data"], {
    query_id: queryId,
    order_seqno: orderSeqno,
    expiration_date: expirationDate,
    approvals_num: integer("Number of approvals."),
    signers_hash: text("Hash of the signers."),
    order_boc: orderBoc,
    source: order.in("source"),
    destination: multisig,
  }),
  vesting_send_message: action([52, "v2", "vesting_send_message_data"], {
    query_id: queryId,
    message_boc: boc("The message."),
    source,
    vesting,
    destination: account("Receiver of the message.").in("destination_secondary"),
    amount: amount("Nanotons that the message carries.").in("amount"),
  }),
  vesting_add_whitelist: action([53, "v2", "vesting_add_whitelist_data"], {
    query_id: queryId,
    accounts_added: accounts("The added accounts."),
    source,
    vesting,
  }),
  gasless_request: action([85, "v5"], {
    source: account("Account that delivered the wallet's signed request, and paid for it.").in("source"),
    destination: wallet,
    value,
  }),
  change_wallet_key: action([86, "v5", "extra"], {
    source: account("Account that delivered the request; `null` if it came from outside.").in("source"),
    destination: wallet,
    value,
    new_public_key: text("The key that signs from now on, hex."),
    rotation_signature: text("Signature of the account by the new key, hex."),
    encrypted_old_private_key: text("The key before, which holders of the new one can decrypt, hex."),
  }),
};
