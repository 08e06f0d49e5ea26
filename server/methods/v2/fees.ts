import type { feeMethods } from "../../../shared/methods/v2/fees.js";
import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import type { LiteCall } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import type { FeeEstimator, FeeQuestion } from "../../chain/run/fee-estimate.js";
import { presentFees } from "../../present/v2/fees.js";
import { initFromBocs, initFromObjects, requireBoc, requireObject } from "./input/cells.js";
import { mapChainErrors } from "./lite-errors.js";
import { readAccount } from "./read-account.js";

export type FeeDeps = { reader: Pick<ChainReader, "last" | "account">; estimator: FeeEstimator };

export const feeHandlers = mapChainErrors<typeof feeMethods, FeeDeps>({
  estimateFee(params, deps, call) {
    const body = requireBoc("body", params.body);
    return estimate(params, { body, init: initFromBocs(params) }, deps, call);
  },

  estimateFeeSimple(params, deps, call) {
    const body = requireObject(params.body);
    return estimate(params, { body, init: initFromObjects(params) }, deps, call);
  },
});

type Target = { address: Address; ignore_chksig?: boolean | undefined };

async function estimate(
  { address, ignore_chksig: ignoreSignatures = true }: Target,
  message: { body: Cell; init: FeeQuestion["init"] },
  { reader, estimator }: FeeDeps,
  call: LiteCall,
) {
  const account = await readAccount(reader, reader.last, address, call);
  return presentFees(await estimator.estimate(account, { ...message, ignoreSignatures }, call));
}
