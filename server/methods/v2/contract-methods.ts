import { methodId } from "../../chain/executor/method-id.js";
import type { LiteCall } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import type { GetMethods } from "../../contracts/get-method.js";
import type { BlockIdExt } from "../../tlb/block-id.js";

export type ContractDeps = { reader: Pick<ChainReader, "blockAt" | "account">; runner: MethodRunner };

/** Runs get-methods of any account as of a masterchain block. */
export function getMethodsAt(
  block: BlockIdExt,
  { reader, runner }: ContractDeps,
  call: LiteCall,
): GetMethods {
  return {
    async run(address, method, stack) {
      const account = await reader.account(block, address, call);
      return runner.run(account, { methodId: methodId(method), stack }, call);
    },
  };
}
