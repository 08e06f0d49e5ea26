import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { TransactionRequest } from "../../../shared/ton/run/account-request.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import {
  account,
  activeAccount,
  internalMessage,
  testConfig,
  testTime,
} from "../../helpers/chain/sample-chain.js";

export const seed = new Uint8Array(32).fill(7);
const wallet = {
  code: contractCode("wallet v4 r2"),
  data: beginCell().storeUint(42, 32).storeUint(698_983_191, 32).storeBytes(seed).storeBit(false).endCell(),
};
const surroundings = { config: testConfig, now: testTime, randSeed: seed };
export const transaction: TransactionRequest = {
  ...surroundings,
  shardAccount: activeAccount(wallet),
  message: internalMessage({ value: 1_000_000_000n }),
  lt: 5_000_000n,
};
export const method: MethodRequest = {
  ...surroundings,
  ...wallet,
  address: account,
  balance: 5n,
  methodId: methodId("seqno"),
  stack: [],
};
