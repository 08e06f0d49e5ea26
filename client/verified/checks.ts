import type { LiteApi, LiteCall } from "../../shared/ton/lite/lite-api.js";
import type { LiteMethod } from "../../shared/ton/lite/lite-methods.js";
import { getAccountState } from "../../shared/ton/proofs/verify/accounts.js";
import { getConfigParams } from "../../shared/ton/proofs/verify/config.js";
import { getBlockHeader } from "../../shared/ton/proofs/verify/headers.js";
import { lookupBlock } from "../../shared/ton/proofs/verify/lookups.js";
import type { Proving } from "../../shared/ton/proofs/verify/proven-chain.js";
import { sendMessage } from "../../shared/ton/proofs/verify/send-message.js";
import { getTransactions } from "../../shared/ton/proofs/verify/transactions.js";

/** Asks functions of a liteserver and checks their answers. */
export type Checks<Name extends LiteMethod> = {
  readonly [Each in Name]: (
    proving: Proving,
    request: NonNullable<Parameters<LiteApi[Each]>[0]>,
    call: LiteCall,
  ) => ReturnType<LiteApi[Each]>;
};

/** Functions of which all clients need the checks; others come with the methods that need them. */
export const commonChecks = {
  getAccountState,
  getTransactions,
  getBlockHeader,
  lookupBlock,
  getConfigParams,
  sendMessage,
};
