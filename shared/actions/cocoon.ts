import { queryId, source } from "./common.js";
import { action } from "./declare.js";
import { type AddressText, account, amount, flag, integer, text, unsent } from "./member.js";

const destination = account("Receiver of the request.").in("destination");
const nanotons = amount("Nanotons.").in("amount");
const request = { query_id: queryId, source, destination };
const charge = {
  query_id: queryId,
  new_tokens_used: amount("Tokens used so far."),
  expected_address: text("Address that the contract expects."),
  source,
  destination,
};

export const cocoonActions = {
  cocoon_worker_payout: action([73, "v4", "cocoon_worker_payout_data"], {
    payout_type: text("Kind of the payout."),
    query_id: queryId,
    new_tokens: amount("Tokens that are paid for."),
    worker_state: integer("State of the worker."),
    worker_tokens: amount("Tokens of the worker."),
    source,
    destination,
    amount: nanotons,
    worker: unsent<AddressText>("source_secondary"),
  }),
  cocoon_proxy_payout: action([74, "v4", "cocoon_proxy_payout_data"], {
    ...request,
    excess_receiver: unsent<AddressText>("destination_secondary"),
  }),
  cocoon_proxy_charge: action([75, "v4", "cocoon_proxy_charge_data"], {
    ...charge,
    amount: unsent<bigint>("amount"),
  }),
  cocoon_client_top_up: action([77, "v4", "cocoon_client_top_up_data"], {
    ...request,
    amount: nanotons,
    proxy: unsent<AddressText>("destination_secondary"),
  }),
  cocoon_register_proxy: action([78, "v4", "cocoon_register_proxy_data"], { query_id: queryId, destination }),
  cocoon_unregister_proxy: action([79, "v4", "cocoon_unregister_proxy_data"], {
    query_id: queryId,
    seqno: integer("Seqno of the proxy."),
    destination,
  }),
  cocoon_client_register: action([80, "v4", "cocoon_client_register_data"], {
    query_id: queryId,
    nonce: amount("Nonce of the client."),
    source,
    destination,
  }),
  cocoon_client_change_secret_hash: action([81, "v4", "cocoon_client_change_secret_hash_data"], {
    query_id: queryId,
    new_secret_hash: text("Hash of the new secret, hex."),
    source,
    destination,
  }),
  cocoon_client_request_refund: action([82, "v4", "cocoon_client_request_refund_data"], {
    query_id: queryId,
    via_wallet: flag("Whether the wallet of the client asked."),
    source,
    destination,
  }),
  cocoon_grant_refund: action([76, "v4", "cocoon_grant_refund_data"], {
    ...charge,
    amount: nanotons,
    client: unsent<AddressText>("source_secondary"),
  }),
  cocoon_client_increase_stake: action([83, "v4", "cocoon_client_increase_stake_data"], {
    query_id: queryId,
    new_stake: amount("The new stake."),
    source,
    destination,
    amount: nanotons,
  }),
  cocoon_client_withdraw: action([84, "v4", "cocoon_client_withdraw_data"], {
    query_id: queryId,
    withdraw_amount: amount("Nanotons that are withdrawn."),
    source,
    destination,
    amount: nanotons,
  }),
};
