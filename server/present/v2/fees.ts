import type { ResultOf } from "../../../shared/methods/define.js";
import type { feeMethods } from "../../../shared/methods/v2/fees.js";
import type { FeeEstimate } from "../../chain/run/fee-estimate.js";

/** Fees are JSON numbers, which clients rely on. Like TON Center, only the sender's fees are estimated. */
export function presentFees(fees: FeeEstimate): ResultOf<typeof feeMethods.estimateFee> {
  return {
    "@type": "query.fees",
    source_fees: {
      "@type": "fees",
      in_fwd_fee: Number(fees.inForward),
      storage_fee: Number(fees.storage),
      gas_fee: Number(fees.gas),
      fwd_fee: Number(fees.forward),
    },
    destination_fees: [],
  };
}
