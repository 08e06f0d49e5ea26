import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { StateInit } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";

/**
 * An account without money that owes `due` and has a frozen state. The state must not be that of its address: such an account would be
 * uninitialised.
 */
export function frozenAccount(addr: Address, init: StateInit, due: bigint, lastPaid: number): Cell {
  return encode(Account, {
    addr,
    storageStat: {
      used: { cells: 1n, bits: 103n },
      storageExtra: { kind: "none" },
      lastPaid,
      duePayment: due,
    },
    storage: {
      lastTransLt: 0n,
      balance: onlyCoins(0n),
      state: { kind: "frozen", stateHash: encode(StateInit, init).hash() },
    },
  });
}
