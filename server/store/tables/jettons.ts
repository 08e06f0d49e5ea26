import { address, attributes, boolean, hash, nullable, numeric } from "../declare/columns.js";
import { columnsOf, object, orNull } from "../declare/record.js";
import { type RowOf, table } from "../declare/table.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

/** Jetton masters (TEP-74). */
export const jettonMasters = table("jetton_masters", {
  columns: {
    ...contractColumns,
    total_supply: numeric,
    mintable: boolean,
    admin_address: nullable(address),
    jetton_content: attributes,
    jetton_wallet_code_hash: hash,
  },
  ...contractBehaviour,
});

export type JettonWalletRow = RowOf<typeof jettonWallets.columns>;

/** Jetton wallets that their master confirms. */
export const jettonWallets = table("jetton_wallets", {
  columns: {
    ...contractColumns,
    balance: numeric,
    owner: address,
    jetton: address,
    /** Of mintless jettons only. */
    mintless_is_claimed: nullable(boolean),
  },
  ...contractBehaviour,
});

const m = columnsOf("m", jettonMasters.columns);

export const jettonMasterRecord = object({
  address: m.address,
  total_supply: m.total_supply,
  mintable: m.mintable,
  admin_address: orNull(m.admin_address),
  jetton_content: m.jetton_content,
  jetton_wallet_code_hash: m.jetton_wallet_code_hash,
  code_hash: m.code_hash,
  data_hash: m.data_hash,
  last_transaction_lt: m.last_transaction_lt,
});

const w = columnsOf("w", jettonWallets.columns);

export const jettonWalletRecord = object({
  address: w.address,
  balance: w.balance,
  owner: w.owner,
  jetton: w.jetton,
  last_transaction_lt: w.last_transaction_lt,
  code_hash: w.code_hash,
  data_hash: w.data_hash,
});
