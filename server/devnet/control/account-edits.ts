import type { Address } from "../../../shared/values/address.js";
import { beginCell } from "../../cells/builder.js";
import { Cell } from "../../cells/cell.js";
import { Account, type AccountStorage, type ExistingAccount } from "../../tlb/account.js";
import { CellOf } from "../../tlb/cell-of.js";
import { decode, encode } from "../../tlb/codec.js";
import { ConfigDictionary } from "../../tlb/config-params.js";
import type { ShardAccount } from "../../tlb/shard-account.js";
import { stateInitOf } from "../../tlb/state-init.js";
import type { StateEdit } from "../collate/edits.js";
import { newAccount } from "../genesis/genesis.js";
import { configAddress } from "../genesis/initial-config.js";
import { storageUsed } from "../genesis/storage-used.js";

/** Sets an account's balance, in nanotons. Creates the account if it does not exist. */
export function balanceEdit(address: Address, balance: bigint): StateEdit {
  return editOf(address, (storage) => ({ ...storage, balance: { ...storage.balance, coins: balance } }));
}

/** Replaces an account's code. Activates the account if necessary, with an empty cell as data. */
export function codeEdit(address: Address, code: Cell): StateEdit {
  return editOf(address, (storage) => withInit(storage, { code }));
}

/** Replaces an account's data. Activates the account if necessary, with an empty cell as code. */
export function dataEdit(address: Address, data: Cell): StateEdit {
  return editOf(address, (storage) => withInit(storage, { data }));
}

/** New values of an account; absent members stay unchanged. */
type AccountFields = { balance?: bigint; code?: Cell; data?: Cell };

/** Several changes of an account in one edit. */
export function fieldsEdit(address: Address, { balance, code, data }: AccountFields): StateEdit {
  return editOf(address, (storage) => {
    const init = { ...(code && { code }), ...(data && { data }) };
    const changed = code || data ? withInit(storage, init) : storage;
    return balance === undefined ? changed : { ...changed, balance: { ...changed.balance, coins: balance } };
  });
}

/** Replaces a whole account. Its earlier transactions are kept. */
export function accountEdit(address: Address, { storage }: ExistingAccount): StateEdit {
  return editOf(address, ({ lastTransLt }) => ({ ...storage, lastTransLt }));
}

/** Changes the configuration in its contract's data. The block with this edit becomes a key block. */
export function configEdit(change: (config: ConfigDictionary) => ConfigDictionary): StateEdit {
  return editOf(configAddress, (storage) => {
    if (storage.state.kind !== "active") throw new Error("the configuration contract is not active");
    // parameters:^Cell, and unchanged fields
    const rest = storage.state.init.data!.parse();
    const config = change(decode(ConfigDictionary, rest.loadRef()));
    const parameters = encode(ConfigDictionary, config);
    return withInit(storage, { data: beginCell().storeRef(parameters).storeSlice(rest).endCell() });
  });
}

function withInit(storage: AccountStorage, change: { code?: Cell; data?: Cell }): AccountStorage {
  const { state } = storage;
  const init = state.kind === "active" ? state.init : stateInitOf(Cell.empty, Cell.empty);
  return { ...storage, state: { kind: "active", init: { ...init, ...change } } };
}

function editOf(address: Address, edit: (storage: AccountStorage) => AccountStorage): StateEdit {
  return {
    address,
    change(shardAccount, utime): ShardAccount {
      const account = shardAccount.account.value ?? newAccount({ address, balance: 0n }, utime);
      const storage = edit(account.storage);
      // A large account's dictionary of cells is rebuilt by its next transaction.
      const storageStat = {
        ...account.storageStat,
        used: storageUsed(storage),
        storageExtra: { kind: "none" } as const,
      };
      return { ...shardAccount, account: CellOf.of(Account, { ...account, storageStat, storage }) };
    },
  };
}
