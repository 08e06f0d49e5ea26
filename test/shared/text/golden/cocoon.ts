import { noCode, outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben } from "./people.js";

export const cocoon = {
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
