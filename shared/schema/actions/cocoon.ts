import { z } from "zod";
import { account, amount, flag, integer, queryId, source, text } from "./fields.js";

const destination = account("Receiver of the request.");
const nanotons = amount("Nanotons.");
const tokensUsed = amount("Tokens used so far.");
const expectedAddress = text("Address that the contract expects.");

export const cocoonActions = {
  cocoon_worker_payout: z.object({
    payout_type: text("Kind of the payout."),
    query_id: queryId,
    new_tokens: amount("Tokens that are paid for."),
    worker_state: integer("State of the worker."),
    worker_tokens: amount("Tokens of the worker."),
    source,
    destination,
    amount: nanotons,
  }),
  cocoon_proxy_payout: z.object({ query_id: queryId, source, destination }),
  cocoon_proxy_charge: z.object({
    query_id: queryId,
    new_tokens_used: tokensUsed,
    expected_address: expectedAddress,
    source,
    destination,
  }),
  cocoon_client_top_up: z.object({ query_id: queryId, source, destination, amount: nanotons }),
  cocoon_register_proxy: z.object({ query_id: queryId, destination }),
  cocoon_unregister_proxy: z.object({
    query_id: queryId,
    seqno: integer("Seqno of the proxy."),
    destination,
  }),
  cocoon_client_register: z.object({
    query_id: queryId,
    nonce: amount("Nonce of the client."),
    source,
    destination,
  }),
  cocoon_client_change_secret_hash: z.object({
    query_id: queryId,
    new_secret_hash: text("Hash of the new secret, hex."),
    source,
    destination,
  }),
  cocoon_client_request_refund: z.object({
    query_id: queryId,
    via_wallet: flag("Whether the wallet of the client asked."),
    source,
    destination,
  }),
  cocoon_grant_refund: z.object({
    query_id: queryId,
    new_tokens_used: tokensUsed,
    expected_address: expectedAddress,
    source,
    destination,
    amount: nanotons,
  }),
  cocoon_client_increase_stake: z.object({
    query_id: queryId,
    new_stake: amount("The new stake."),
    source,
    destination,
    amount: nanotons,
  }),
  cocoon_client_withdraw: z.object({
    query_id: queryId,
    withdraw_amount: amount("Nanotons that are withdrawn."),
    source,
    destination,
    amount: nanotons,
  }),
};
