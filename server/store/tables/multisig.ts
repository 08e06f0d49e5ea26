import { address, addressArray, boolean, bytea, numeric, statedNumber } from "../declare/columns.js";
import { columnsOf, constant, object } from "../declare/record.js";
import { table } from "../declare/table.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

/** Multisig wallets, version 2. */
export const multisigs = table("multisigs", {
  columns: {
    ...contractColumns,
    /** -1 if orders may have any number. */
    next_order_seqno: numeric,
    threshold: statedNumber,
    signers: addressArray,
    proposers: addressArray,
  },
  ...contractBehaviour,
});

/** Orders that their multisig wallet confirms. */
export const multisigOrders = table("multisig_orders", {
  columns: {
    ...contractColumns,
    multisig_address: address,
    order_seqno: numeric,
    threshold: statedNumber,
    sent_for_execution: boolean,
    signers: addressArray,
    approvals_mask: numeric,
    approvals_num: statedNumber,
    expiration_date: statedNumber,
    order_boc: bytea,
  },
  ...contractBehaviour,
});

const m = columnsOf("m", multisigs.columns);

export const multisigRecord = object({
  address: m.address,
  next_order_seqno: m.next_order_seqno,
  threshold: m.threshold,
  signers: m.signers,
  proposers: m.proposers,
  last_transaction_lt: m.last_transaction_lt,
  code_hash: m.code_hash,
  data_hash: m.data_hash,
});

const o = columnsOf("o", multisigOrders.columns);

export const multisigOrderRecord = object({
  address: o.address,
  multisig_address: o.multisig_address,
  order_seqno: o.order_seqno,
  threshold: o.threshold,
  sent_for_execution: o.sent_for_execution,
  approvals_mask: o.approvals_mask,
  approvals_num: o.approvals_num,
  expiration_date: o.expiration_date,
  order_boc: o.order_boc,
  signers: o.signers,
  last_transaction_lt: o.last_transaction_lt,
  code_hash: o.code_hash,
  data_hash: o.data_hash,
  actions: constant(null),
});
