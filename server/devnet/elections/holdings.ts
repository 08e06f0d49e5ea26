import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { Account } from "../../../shared/ton/tlb/account.js";
import type { ElectorData } from "../../../shared/ton/tlb/elector-data.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { ChainSide } from "../collate/chain-side.js";
import { compiledContracts } from "../contracts/compiled.js";

/** Funds of a staking account, in nanotons. */
export type Holdings = { holder: Address; balance: bigint; credit: bigint; frozen: bigint; staked: bigint };

export function holdingsOf(holder: Address, side: ChainSide, elector: ElectorData): Holdings {
  const { hash } = holder;
  const sumOf = (stakes: Iterable<{ source: Uint8Array; stake: bigint }>) => {
    let sum = 0n;
    for (const { source, stake } of stakes) if (bytesEqual(source, hash)) sum += stake;
    return sum;
  };
  const past = Array.from(elector.pastElections.values(), ({ frozen }) => sumOf(frozen.values()));
  const election = elector.election?.value;
  return {
    holder,
    balance: balanceOf(holder, side),
    credit: elector.credits.get(hash) ?? 0n,
    frozen: past.reduce((sum, stake) => sum + stake, 0n),
    // The stakes of a finished election are frozen or credited.
    staked: election && !election.finished ? sumOf(election.members.values()) : 0n,
  };
}

/** The balance of a masterchain account. */
export function balanceOf(address: Address, side: ChainSide): bigint {
  return accountOf(address, side)?.storage.balance.coins ?? 0n;
}

/** The data of a contract with this code; undefined if it does not exist, or if a developer replaced its code. */
export function dataUnder(
  code: keyof typeof compiledContracts,
  address: Address,
  side: ChainSide,
): Cell | undefined {
  const state = accountOf(address, side)?.storage.state;
  if (state?.kind !== "active" || state.init.code?.hashHex() !== compiledContracts[code].hash)
    return undefined;
  return state.init.data;
}

function accountOf({ hash }: Address, { state }: ChainSide): Account | undefined {
  return state.accounts.value.get(hash)?.account.value;
}
