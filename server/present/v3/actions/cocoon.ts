import { nullable, type Presenters, type StoredAction } from "./stored-action.js";

export const cocoonPresenters: Presenters<
  | "cocoon_worker_payout"
  | "cocoon_proxy_payout"
  | "cocoon_proxy_charge"
  | "cocoon_client_top_up"
  | "cocoon_register_proxy"
  | "cocoon_unregister_proxy"
  | "cocoon_client_register"
  | "cocoon_client_change_secret_hash"
  | "cocoon_client_request_refund"
  | "cocoon_grant_refund"
  | "cocoon_client_increase_stake"
  | "cocoon_client_withdraw"
> = {
  cocoon_worker_payout: ({ cocoon_worker_payout_data: data, ...row }) =>
    nullable({ ...data, ...sides(row), amount: row.amount }),
  cocoon_proxy_payout: ({ cocoon_proxy_payout_data: data, ...row }) => nullable({ ...data, ...sides(row) }),
  cocoon_proxy_charge: ({ cocoon_proxy_charge_data: data, ...row }) => nullable({ ...data, ...sides(row) }),
  cocoon_client_top_up: ({ cocoon_client_top_up_data: data, ...row }) =>
    nullable({ ...data, ...sides(row), amount: row.amount }),
  cocoon_register_proxy: ({ cocoon_register_proxy_data: data, destination }) =>
    nullable({ ...data, destination }),
  cocoon_unregister_proxy: ({ cocoon_unregister_proxy_data: data, destination }) =>
    nullable({ ...data, destination }),
  cocoon_client_register: ({ cocoon_client_register_data: data, ...row }) =>
    nullable({ ...data, ...sides(row) }),
  cocoon_client_change_secret_hash: ({ cocoon_client_change_secret_hash_data: data, ...row }) =>
    nullable({ ...data, ...sides(row) }),
  cocoon_client_request_refund: ({ cocoon_client_request_refund_data: data, ...row }) =>
    nullable({ ...data, ...sides(row) }),
  cocoon_grant_refund: ({ cocoon_grant_refund_data: data, ...row }) =>
    nullable({ ...data, ...sides(row), amount: row.amount }),
  cocoon_client_increase_stake: ({ cocoon_client_increase_stake_data: data, ...row }) =>
    nullable({ ...data, ...sides(row), amount: row.amount }),
  cocoon_client_withdraw: ({ cocoon_client_withdraw_data: data, ...row }) =>
    nullable({ ...data, ...sides(row), amount: row.amount }),
};

function sides({ source, destination }: Pick<StoredAction<"call_contract">, "source" | "destination">) {
  return { source, destination };
}
