import type { Handlers } from "../../../shared/methods/define.js";
import type { accountMethods } from "../../../shared/methods/v2/accounts.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { recognizeWallet } from "../../../shared/ton/contracts/wallet.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import {
  presentAccountState,
  presentExtendedInformation,
  presentWalletInformation,
} from "../../../shared/ton/present/account.js";
import { presentAddressInformation } from "../../../shared/ton/present/address-information.js";
import { presentCell } from "../../../shared/ton/present/records.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ConfigView } from "../../../shared/ton/proofs/read/config.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { isSuspended } from "../../../shared/ton/proofs/read/suspended.js";
import { type ConfigValue, configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { Address } from "../../../shared/values/address.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import { presentStateBoc } from "../../present/v2/state-boc.js";
import { readAccount } from "./read-account.js";

export type AccountDeps = {
  reader: Pick<ChainReader, "blockAt" | "account" | "config">;
  runner: Pick<MethodRunner, "run">;
};

export const accountHandlers: Handlers<typeof accountMethods, AccountDeps> = {
  async getAddressInformation({ address, seqno }, { reader }, call) {
    const block = await reader.blockAt(seqno, call);
    const [account, config] = await Promise.all([
      readAccount(reader, block, address, call),
      reader.config(block),
    ]);
    return presentAddressInformation(account, {
      isSuspended: isSuspended(account, suspendedList(config)),
      stateBoc: presentStateBoc,
    });
  },

  async getExtendedAddressInformation({ address: written, seqno }, { reader, runner }, call) {
    const account = await read({ address: written.address, seqno }, reader, call);
    return presentExtendedInformation(written, account, await accountStateOf(account, runner, call));
  },

  async getWalletInformation(params, { reader }, call) {
    const account = await read(params, reader, call);
    const { code, data } = account;
    return presentWalletInformation(account, code && data && recognizeWallet(code, data));
  },

  async getAddressBalance(params, { reader }, call) {
    return (await read(params, reader, call)).balance.toString();
  },

  async getAddressState(params, { reader }, call) {
    return (await read(params, reader, call)).status;
  },

  async getShardAccountCell(params, { reader }, call) {
    const { cell = noAccount, lastTransaction } = await read(params, reader, call);
    // account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
    const { hash, lt } = lastTransaction;
    return presentCell(beginCell().storeRef(cell).storeBytes(hash).storeUint(lt, 64).endCell());
  },
};

/** `account_none$0 = Account;` */
const noAccount = beginCell().storeBit(false).endCell();

async function read(
  { address, seqno }: { address: Address; seqno?: number | undefined },
  reader: AccountDeps["reader"],
  call: LiteCall,
): Promise<AccountSnapshot> {
  return readAccount(reader, await reader.blockAt(seqno, call), address, call);
}

// Module state: a memo by configuration, as one serves many blocks.
const suspendedLists = new WeakMap<ConfigView, ConfigValue<44> | undefined>();

function suspendedList(config: ConfigView): ConfigValue<44> | undefined {
  if (!suspendedLists.has(config)) suspendedLists.set(config, configParam(config.params, 44));
  return suspendedLists.get(config);
}

function accountStateOf(
  account: AccountSnapshot,
  runner: Pick<MethodRunner, "run">,
  call: LiteCall,
): ReturnType<typeof presentAccountState> {
  const unlocked = () => unlockedBalance(account, runner, call);
  return presentAccountState(account, { stateBoc: presentStateBoc, unlocked });
}

/** The amount the owner of a restricted wallet can spend now, read by its get-method `balance`. */
async function unlockedBalance(
  account: AccountSnapshot,
  runner: Pick<MethodRunner, "run">,
  call: LiteCall,
): Promise<bigint | undefined> {
  const { exitCode, stack } = await runner.run(account, { methodId: methodId("balance") }, call);
  const top = stack.at(-1);
  return exitCode === 0 && top?.type === "int" ? top.value : undefined;
}
