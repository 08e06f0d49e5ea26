import { noCode, noCoins, outOfGas, ownCode, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, elector, pool } from "./people.js";

export const services = {
  subscribe: {
    details: { beneficiary: ben, subscriber: ann, amount: "5000000000" },
    says: "‹subscriber› subscribed to ‹beneficiary› for ‹amount: 5 TON›",
    shown: ["subscription", "Subscribed"],
    failed: noCoins,
  },
  unsubscribe: {
    details: { beneficiary: ben, subscriber: ann },
    says: "‹subscriber› ended its subscription to ‹beneficiary›",
    shown: ["subscription", "Subscription ended"],
  },
  multisig_create_order: {
    details: { order_seqno: "2", source: ann, destination: ben, destination_order: pool },
    says: "‹source› created an order of ‹destination› with number 2 at ‹destination_order› and approved it",
    shown: ["multisig", "Multisig order created"],
  },
  multisig_approve: {
    details: { exit_code: 0, source: ann, destination: pool },
    says: "‹source› approved ‹destination›",
    shown: ["multisig", "Multisig order approved"],
    failed: {
      ...unexplained,
      details: { exit_code: 106 },
      says: "‹source› approved ‹destination›, which refused it with exit code 106 (sender not signer)",
    },
  },
  multisig_execute: {
    details: { approvals_num: 2, source: pool, destination: ben },
    says: "‹destination› executed ‹source› with 2 approvals",
    shown: ["multisig", "Multisig order executed"],
    failed: noCoins,
  },
  vesting_send_message: {
    details: { source: ann, vesting: pool, destination: ben, amount: "100000000000" },
    says: "‹source› sent ‹amount: 100 TON› to ‹destination› from ‹vesting›",
    shown: ["vesting", "Sent from vesting"],
    failed: ownCode,
  },
  vesting_add_whitelist: {
    details: { source: ann, vesting: pool, accounts_added: [ben, elector] },
    says: "‹source› allowed ‹vesting› to pay ‹accounts_added=ben› and ‹accounts_added=elector›",
    shown: ["vesting", "Vesting whitelist extended"],
  },
  gasless_request: {
    details: { source: ann, destination: pool, value: "50000000" },
    says: "‹source› delivered a signed request to ‹destination›, paying ‹value: 0.05 TON› for it",
    shown: ["wallet", "Gasless request"],
    failed: outOfGas,
  },
  change_wallet_key: {
    details: {
      source: null,
      destination: pool,
      value: null,
      new_public_key: `8a88e3dd7409f195${"0".repeat(48)}`,
    },
    says: "‹destination› took a new key, 8a88e3dd7409f195…",
    shown: ["wallet", "Wallet key changed"],
  },
  tgbtc_mint: {
    details: {
      destination: ben,
      amount: "1660350",
      asset: acorn,
      bitcoin_tx_id: "e74d6db9342378bd2a5f09dac1aa7f4b035389c4ca92b8c112a500477009e0bf",
    },
    says: "‹amount: 1,660.35 ACORN› were minted for ‹destination› for Bitcoin transaction e74d6db9342378bd2a5f09dac1aa7f4b035389c4ca92b8c112a500477009e0bf",
    shown: ["mint", "tgBTC minted"],
  },
  tgbtc_mint_fallback: {
    details: {
      destination: ben,
      amount: "50000",
      asset: null,
      bitcoin_tx_id: "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    },
    says: "‹amount: 50,000 units of tgBTC› were minted for ‹destination› for Bitcoin transaction 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    shown: ["mint", "tgBTC minted"],
  },
  tgbtc_burn: {
    details: { source: ann, amount: "1000", asset: acorn },
    says: "‹source› burned ‹amount: 1 ACORN› for a payment on Bitcoin",
    shown: ["burn", "tgBTC burned"],
  },
  tgbtc_burn_fallback: {
    details: { source: null, amount: "2108539095393251256237182", asset: null },
    says: "An unknown account burned ‹amount: 2,108,539,095,393,251,256,237,182 units of tgBTC› for a payment on Bitcoin",
    shown: ["burn", "tgBTC burned"],
  },
  tgbtc_new_key: {
    details: {
      source: ann,
      pubkey: "bca58e7898026854a2f14ef0beffbf7e9fa7efa2f38deae30c1ac729247c6d3b",
      coordinator: pool,
    },
    says: "‹source› sent ‹coordinator› a new key, bca58e7898026854…",
    shown: ["bridge", "tgBTC key changed"],
  },
  tgbtc_new_key_fallback: {
    details: {
      source: null,
      pubkey: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
      coordinator: pool,
    },
    says: "Signers of tgBTC sent ‹coordinator› a new key, 79be667ef9dcbbac…",
    shown: ["bridge", "tgBTC key changed"],
  },
  tgbtc_dkg_log_fallback: {
    details: {
      coordinator: pool,
      pubkey: "bb3a21df270dd0e6dc1169f4afb93be5eb2945df81c011f2b29f648daf64d150",
    },
    says: "‹coordinator› announced a key that its signers made, bb3a21df270dd0e6…",
    shown: ["bridge", "tgBTC key made"],
  },
  layerzero_send: {
    details: { initiator: ann, layerzero_packet_data: { dst_eid: 30420, nonce: 90 } },
    says: "‹initiator› sent a packet with number 90 to endpoint 30420 over LayerZero",
    shown: ["bridge", "LayerZero packet sent"],
  },
  layerzero_send_tokens: {
    details: { sender: ann, asset: acorn, amount: "10000", layerzero_packet_data: { dst_eid: 30101 } },
    says: "‹sender› sent ‹amount: 10 ACORN› to endpoint 30101 over LayerZero",
    shown: ["bridge", "Sent over LayerZero"],
  },
  layerzero_receive: {
    details: { oapp: ann, layerzero_packet_data: { src_eid: 30101, nonce: 162 } },
    says: "‹oapp› received a packet with number 162 from endpoint 30101 over LayerZero",
    shown: ["bridge", "LayerZero packet received"],
  },
  layerzero_commit_packet: {
    details: { sender: ann, layerzero_packet_data: { src_eid: 30343, nonce: 1 } },
    says: "‹sender› committed a packet with number 1 from endpoint 30343 to LayerZero",
    shown: ["bridge", "LayerZero packet committed"],
  },
  layerzero_dvn_verify: {
    details: { initiator: ann, nonce: 125, status: "succeeded\u202e", dvn: pool },
    says: "‹initiator› verified a packet with number 125 by ‹dvn› of LayerZero, with the status “succeeded�”",
    shown: ["bridge", "LayerZero packet verified"],
  },
  cocoon_worker_payout: {
    details: { payout_type: "last", destination: ben, amount: "4500148290" },
    says: "‹destination› was paid ‹amount: 4.50014829 TON› for work on Cocoon, for the last time",
    shown: ["service", "Cocoon worker paid"],
    failed: noCode,
  },
  cocoon_proxy_payout: {
    details: { source: ann, destination: ben },
    says: "‹source› of Cocoon paid its earnings to ‹destination›",
    shown: ["service", "Cocoon proxy paid"],
    failed: noCode,
  },
  cocoon_proxy_charge: {
    details: { source: ann, destination: ben },
    says: "‹destination› charged ‹source› on Cocoon",
    shown: ["service", "Cocoon client charged"],
    failed: ownCode,
  },
  cocoon_client_top_up: {
    details: { source: ann, destination: ben, amount: "1000000000" },
    says: "‹source› topped up ‹destination› on Cocoon with ‹amount: 1 TON›",
    shown: ["service", "Cocoon client topped up"],
    failed: ownCode,
  },
  cocoon_register_proxy: {
    details: { destination: ben },
    says: "A proxy registered with ‹destination› of Cocoon",
    shown: ["service", "Cocoon proxy registered"],
    failed: ownCode,
  },
  cocoon_unregister_proxy: {
    details: { seqno: 1, destination: ben },
    says: "A proxy with number 1 was removed from ‹destination› of Cocoon",
    shown: ["service", "Cocoon proxy removed"],
    failed: ownCode,
  },
  cocoon_client_register: {
    details: { source: ann, destination: ben },
    says: "‹source› registered ‹destination› on Cocoon",
    shown: ["service", "Cocoon client registered"],
    failed: ownCode,
  },
  cocoon_client_change_secret_hash: {
    details: { source: ann, destination: ben },
    says: "‹source› changed the secret of ‹destination› on Cocoon",
    shown: ["service", "Cocoon secret changed"],
    failed: outOfGas,
  },
  cocoon_client_request_refund: {
    details: { source: ann, destination: ben },
    says: "‹source› asked ‹destination› on Cocoon for a refund",
    shown: ["service", "Cocoon refund requested"],
    failed: ownCode,
  },
  cocoon_grant_refund: {
    details: { source: ann, destination: ben, amount: "14999630120" },
    says: "‹source› of Cocoon refunded ‹amount: 14.99963012 TON› to ‹destination›",
    shown: ["service", "Cocoon refund paid"],
    failed: noCode,
  },
  cocoon_client_increase_stake: {
    details: { new_stake: "18000000000", source: ann, destination: ben },
    says: "‹source› raised the stake of ‹destination› on Cocoon to ‹new_stake: 18 TON›",
    shown: ["service", "Cocoon stake raised"],
    failed: ownCode,
  },
  cocoon_client_withdraw: {
    details: { withdraw_amount: "999985640", source: ann, destination: ben },
    says: "‹source› withdrew ‹withdraw_amount: 0.99998564 TON› from ‹destination› on Cocoon",
    shown: ["service", "Withdrawn from Cocoon"],
    failed: ownCode,
  },
} satisfies Partial<Goldens>;
