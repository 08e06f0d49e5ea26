import {
  address,
  attributes,
  boolean,
  hash,
  nullable,
  numeric,
  textArray,
  wideInteger,
} from "../declare/columns.js";
import { columnsOf, ifPresent, object, orNull } from "../declare/record.js";
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
    /** The factor by which its amounts are shown (TEP-526), without which they are in no table; none if null. */
    display_numerator: nullable(numeric),
    display_denominator: nullable(numeric),
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
    /** Set for mintless jettons only. */
    mintless_is_claimed: nullable(boolean),
    /** An airdrop that the owner may claim, and when, in unix time. Only an importer of airdrops knows them. */
    mintless_amount: nullable(numeric),
    mintless_start_from: nullable(wideInteger),
    mintless_expire_at: nullable(wideInteger),
  },
  ...contractBehaviour,
  merge: {
    ...contractBehaviour.merge,
    completedBy: {
      ...contractBehaviour.merge.completedBy,
      mintless_amount: "address",
      mintless_start_from: "address",
      mintless_expire_at: "address",
    },
  },
  divideBy: { column: "address" },
  ownedBy: [{ kind: "jetton_wallets", owner: "owner", token: "address" }],
});

/** Mintless jettons (TEP-177) of which a wallet is known. */
export const mintlessJettonMasters = table("mintless_jetton_masters", {
  columns: {
    address,
    /** Whether an importer has filled in the airdrops of its wallets. */
    is_indexed: boolean,
    /** Services that make the custom payloads of claims. */
    custom_payload_api_uri: nullable(textArray),
  },
  key: ["address"],
  merge: "keep",
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
const p = columnsOf("p", mintlessJettonMasters.columns);

/** A wallet `w`, and its jetton `p` if that is mintless and the wallet has an airdrop to claim. */
export const jettonWalletRecord = object(
  {
    address: w.address,
    balance: w.balance,
    owner: w.owner,
    jetton: w.jetton,
    last_transaction_lt: w.last_transaction_lt,
    code_hash: w.code_hash,
    data_hash: w.data_hash,
  },
  {
    mintless_info: ifPresent(
      p.address,
      object({
        amount: orNull(w.mintless_amount),
        start_from: orNull(w.mintless_start_from),
        expire_at: orNull(w.mintless_expire_at),
        custom_payload_api_uri: orNull(p.custom_payload_api_uri),
      }),
    ),
  },
);
