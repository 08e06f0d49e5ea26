import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { v4AccountMethods } from "../../../shared/methods/v4/accounts.js";
import { toBase64 } from "../../../shared/ton/cells/base64.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import {
  presentV4Account,
  presentV4AccountLite,
  presentV4BlockId,
} from "../../../shared/ton/present/v4/records.js";
import { presentV4Stack } from "../../../shared/ton/present/v4/stack.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { loadStack } from "../../../shared/ton/tvm/load-stack.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { StackError, type StackValue } from "../../../shared/ton/tvm/stack.js";
import { stackBoc } from "../../../shared/ton/tvm/store-stack.js";
import type { Address } from "../../../shared/values/address.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import { ServiceError } from "../../errors.js";
import { requireBoc } from "../input/cells.js";
import { readAccount } from "../v2/read-account.js";
import { inHistory } from "./history.js";

export type V4AccountDeps = {
  reader: Pick<ChainReader, "last" | "blockAt" | "account">;
  runner: Pick<MethodRunner, "run">;
};

/** Exit code for an account without code. */
const nothingToRun = -0x100;

export const v4AccountHandlers: Handlers<typeof v4AccountMethods, V4AccountDeps> = {
  async account(place, { reader }, call) {
    const account = await accountAt(place, reader, call);
    return { account: presentV4Account(account), block: presentV4BlockId(account.block) };
  },

  async accountLite(place, { reader }, call) {
    return { account: presentV4AccountLite(await accountAt(place, reader, call)) };
  },

  async accountChanged({ lt, ...place }, { reader }, call) {
    const { block, lastTransaction: last } = await accountAt(place, reader, call);
    return { changed: last.lt === 0n || last.lt > lt, block: presentV4BlockId(block) };
  },

  async run({ command, args, ...place }, { reader, runner }, call) {
    // Rejects invalid arguments before the account is read.
    const { stack, shown: shownArguments } = readArguments(args);
    const account = await accountAt(place, reader, call);
    const run = { methodId: methodId(command), stack, at: account.block };
    const outcome = account.code && (await runner.run(account, run, call));
    return {
      arguments: shownArguments,
      result: (outcome && presentV4Stack(outcome.stack)) ?? null,
      exitCode: outcome?.exitCode ?? nothingToRun,
      resultRaw: outcome ? toBase64(stackBoc(outcome.stack).boc) : null,
      block: presentV4BlockId(account.block),
      shardBlock: presentV4BlockId(account.shardBlock ?? account.block),
    };
  },
};

function accountAt(
  { seqno, address }: { seqno: number; address: Address },
  reader: V4AccountDeps["reader"],
  call: Call,
): Promise<AccountSnapshot> {
  const read = async () => readAccount(reader, await reader.blockAt(seqno, call), address, call);
  return inHistory(seqno, reader, read);
}

/** The arguments in a bag of cells. Those that have no form in the answer are refused: continuations, as in liteservers. */
function readArguments(args: Uint8Array | undefined): { stack: StackValue[]; shown: ShownStack } {
  if (!args?.length) return { stack: [], shown: [] };
  const stack = readStack(requireBoc("args", args));
  const shown = stack && presentV4Stack(stack);
  if (!shown) throw new ServiceError("invalid-params", "args should be a stack in a bag of cells");
  return { stack, shown };
}

type ShownStack = NonNullable<ReturnType<typeof presentV4Stack>>;

function readStack(cell: Cell): StackValue[] | undefined {
  try {
    return ifReadable(() => loadStack(cell));
  } catch (error) {
    if (error instanceof StackError) return undefined;
    throw error;
  }
}
