import { known, nullable, type Presenters, type StoredAction } from "./stored-action.js";

export const walletPresenters: Presenters<
  | "subscribe"
  | "unsubscribe"
  | "multisig_create_order"
  | "multisig_approve"
  | "multisig_execute"
  | "vesting_send_message"
  | "vesting_add_whitelist"
> = {
  subscribe: (row) => ({ ...subscription(row), ...nullable({ amount: row.amount }) }),
  unsubscribe: (row) => ({ ...subscription(row), ...known({ amount: row.amount }) }),
  multisig_create_order: ({ multisig_create_order_data: data, ...row }) =>
    nullable({
      ...data,
      source: row.source,
      destination: row.destination,
      destination_order: row.destination_secondary,
    }),
  multisig_approve: ({ multisig_approve_data: data, ...row }) =>
    nullable({ ...data, source: row.source, destination: row.destination }),
  multisig_execute: ({ multisig_execute_data: data, ...row }) =>
    nullable({ ...data, source: row.source, destination: row.destination }),
  vesting_send_message: ({ vesting_send_message_data: data, ...row }) =>
    nullable({
      ...data,
      source: row.source,
      vesting: row.destination,
      destination: row.destination_secondary,
      amount: row.amount,
    }),
  vesting_add_whitelist: ({ vesting_add_whitelist_data: data, ...row }) => ({
    ...nullable({ query_id: data.query_id, source: row.source, vesting: row.destination }),
    accounts_added: [...data.accounts_added],
  }),
};

function subscription({
  source,
  destination,
  destination_secondary,
}: Omit<StoredAction<"subscribe">, never>) {
  return {
    ...known({ beneficiary: destination }),
    ...nullable({ subscriber: source, subscription: destination_secondary }),
  };
}
