import { readTokenRequest, type TokenRequest } from "../../../shared/ton/bodies/token-requests.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Address } from "../../../shared/values/address.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { TokenEventRows } from "../../store/copy/token-event-rows.js";
import { tables } from "../../store/tables/all-tables.js";
import type { RowBatch } from "../rows/row-batch.js";
import type { ReceivedRequest } from "../rows/token-request.js";
import type { RecognisedTokens, TokenContract } from "./recognised-tokens.js";

/** Adds the events of a batch; its accounts must have been recognised as of its end. */
export async function addTokenEvents(
  { tokenRequests, rows }: Pick<RowBatch, "tokenRequests" | "rows">,
  tokens: RecognisedTokens,
  { timeSlice, slotOf }: { timeSlice: TimeSlice; slotOf: (lt: bigint) => bigint },
): Promise<void> {
  const events = new TokenEventRows(rows, slotOf);
  for (const request of tokenRequests) {
    addTokenEvent(request, tokens.at(request.transaction.account), events);
    await timeSlice.yieldIfDue();
  }
}

/**
 * Adds the event of a request, regardless of its outcome. None if the account is no token contract of the requested
 * kind, or if the body is too short or has an impossible receiver.
 */
export function addTokenEvent(
  request: ReceivedRequest,
  { wallet, item }: TokenContract,
  rows: TokenEventRows,
): void {
  if (!wallet && !item) return;
  const asked = readTokenRequest(request.body);
  if (!asked) return;
  const { account } = request.transaction;
  const common = commonColumns(request, asked);
  if (asked.name === "nft_transfer") {
    if (!item || !isReceiver(asked.new_owner)) return;
    rows.add(tables.nftTransfers, {
      ...common,
      nft_item_address: account,
      nft_item_index: item.index,
      nft_collection_address: item.collection_address,
      old_owner: request.sender,
      new_owner: bytesOf(asked.new_owner),
      forward_amount: asked.forward_amount,
      forward_payload: bocOf(asked.forward_payload),
    });
    return;
  }
  if (!wallet) return;
  const ofJetton = { jetton_wallet_address: account, jetton_master_address: wallet.jetton };
  if (asked.name === "jetton_burn") {
    rows.add(tables.jettonBurns, { ...common, ...ofJetton, owner: request.sender, amount: asked.amount });
  } else if (isReceiver(asked.destination)) {
    rows.add(tables.jettonTransfers, {
      ...common,
      ...ofJetton,
      source: request.sender,
      destination: bytesOf(asked.destination),
      amount: asked.amount,
      forward_ton_amount: asked.forward_ton_amount,
      forward_payload: bocOf(asked.forward_payload),
    });
  }
}

function commonColumns({ transaction }: ReceivedRequest, asked: TokenRequest) {
  return {
    tx_hash: transaction.hash,
    tx_lt: transaction.lt,
    tx_now: transaction.now,
    tx_aborted: transaction.aborted ?? false,
    mc_seqno: transaction.mc_block_seqno,
    trace_id: transaction.trace_id,
    query_id: asked.query_id,
    response_destination: bytesOf(asked.response_destination),
    custom_payload: bocOf(asked.custom_payload),
  };
}

type AddressField = TokenRequest["response_destination"];

/** Whether a field is an account or empty. */
function isReceiver(address: AddressField): address is Address | undefined {
  return address === undefined || address instanceof Address;
}

function bytesOf(address: AddressField): Uint8Array | undefined {
  return address instanceof Address ? addressToBytes(address) : undefined;
}

function bocOf(payload: Cell | undefined): Uint8Array | undefined {
  return payload && serializeBoc(payload);
}
