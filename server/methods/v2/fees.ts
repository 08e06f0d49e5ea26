import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { feeMethods } from "../../../shared/methods/v2/fees.js";
import type { Overrides } from "../../../shared/schema/overrides.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { Address } from "../../../shared/values/address.js";
import type { FeeEstimator, FeeQuestion } from "../../chain/run/fee-estimate.js";
import type { ChainReads } from "../../chain/run/supposed-chain.js";
import { presentFees } from "../../present/v2/fees.js";
import { initFromBocs, initFromObjects, requireBoc, requireObject } from "../input/cells.js";
import { chainWith, runOn } from "../input/overrides.js";
import { readAccount } from "./read-account.js";

export type FeeDeps = { reader: ChainReads; estimator: FeeEstimator };

export const feeHandlers: Handlers<typeof feeMethods, FeeDeps> = {
  estimateFee(params, deps, call) {
    const body = requireBoc("body", params.body);
    return estimate(params, { body, init: initFromBocs(params) }, deps, call);
  },

  estimateFeeSimple(params, deps, call) {
    const body = requireObject(params.body);
    return estimate(params, { body, init: initFromObjects(params) }, deps, call);
  },
};

type Target = {
  address: Address;
  ignore_chksig?: boolean | undefined;
  seqno?: number | undefined;
  overrides?: Overrides | undefined;
};

async function estimate(
  { address, ignore_chksig: ignoreSignatures = true, seqno, overrides }: Target,
  message: { body: Cell; init: FeeQuestion["init"] },
  { reader, estimator }: FeeDeps,
  call: Call,
) {
  const question = { ...message, ignoreSignatures };
  if (seqno === undefined && !overrides) {
    const account = await readAccount(reader, reader.last, address, call);
    return presentFees(await estimator.estimate(account, question, call));
  }
  const chain = chainWith(overrides, reader);
  const account = await readAccount(chain, await reader.blockAt(seqno, call), address, call);
  return presentFees(await runOn(chain, estimator.on(chain).estimate(account, question, call)));
}
