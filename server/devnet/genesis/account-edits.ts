import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Account, type AccountStorage, type ExistingAccount } from "../../../shared/ton/tlb/account.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { type AccountFields, emptyAccount, withFields, withStorage } from "../../chain/account-fields.js";
import type { StateEdit } from "../collate/block/edits.js";
import { DevnetError } from "../devnet-error.js";
import { configAddress } from "./initial-config.js";

/** Sets an account's balance, in nanotons. Creates the account if it does not exist. */
export function balanceEdit(address: Address, balance: bigint): StateEdit {
  return editOf(address, (storage) => withFields(storage, { balance }));
}

/** Replaces an account's code. Activates the account if necessary, with an empty cell as data. */
export function codeEdit(address: Address, code: Cell): StateEdit {
  return editOf(address, (storage) => withFields(storage, { code }));
}

/** Replaces an account's data. Activates the account if necessary, with an empty cell as code. */
export function dataEdit(address: Address, data: Cell): StateEdit {
  return editOf(address, (storage) => withFields(storage, { data }));
}

/** Several changes of an account in one edit. */
export function fieldsEdit(address: Address, fields: AccountFields): StateEdit {
  return editOf(address, (storage) => withFields(storage, fields));
}

/** Replaces a whole account. Its earlier transactions are kept. */
export function accountEdit(address: Address, { storage }: ExistingAccount): StateEdit {
  return editOf(address, ({ lastTransLt }) => ({ ...storage, lastTransLt }));
}

/**
 * Changes the configuration in its contract's data. The block with this edit becomes a key block. Throws `DevnetError` if the data
 * have been replaced by others.
 */
export function configEdit(
  change: (config: ConfigDictionary) => ConfigDictionary,
  contract = configAddress,
): StateEdit {
  return editOf(contract, (storage) => {
    const data = ifReadable(() => {
      // parameters:^Cell, and unchanged fields
      const rest = storage.state.kind === "active" && storage.state.init.data?.parse();
      if (!rest) return undefined;
      const config = change(decode(ConfigDictionary, rest.loadRef()));
      return beginCell().storeRef(encode(ConfigDictionary, config)).storeSlice(rest).endCell();
    });
    if (!data)
      throw new DevnetError("conflict", "the data of the configuration contract are no configuration");
    return withFields(storage, { data });
  });
}

function editOf(address: Address, edit: (storage: AccountStorage) => AccountStorage): StateEdit {
  return {
    address,
    change(shardAccount, utime): ShardAccount {
      const account = shardAccount.account.value ?? emptyAccount(address, utime);
      const changed = withStorage(account, edit(account.storage));
      return { ...shardAccount, account: CellOf.of(Account, changed) };
    },
  };
}
