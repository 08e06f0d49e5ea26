import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { SupposedChain } from "./supposed-chain.js";
import type { ExpectedTrace } from "./trace-emulator.js";

/**
 * A message to emulate, and the block whose state to emulate it on. `isNext`: an external message is received after the
 * messages waiting for its receiver, unless they would make it refuse the message.
 */
export type EmulationRequest = {
  message: Cell;
  block: BlockIdExt;
  ignoreSignatures: boolean;
  isNext: boolean;
  /** The chain to emulate on, which follows the trace afterwards. Default: the chain that is read. */
  chain?: SupposedChain | undefined;
  /** Messages that share the limits of an emulation, and the part that the earlier ones have used. Default: 1. */
  messages?: number | undefined;
  used?: Used | undefined;
};

/** The part of their limits that the earlier messages of a bundle have used. */
export type Used = { gas: bigint; cpuMs: number; ms: number; transactions: number };

/** Before the first message of a bundle. */
export const nothingUsed: Used = { gas: 0n, cpuMs: 0, ms: 0, transactions: 0 };

/** Limits of the traces of a bundle together. */
type Limits = { maxGas: bigint; maxCpuMs: number; maxMs: number; maxTransactions: number };

/** The limits of the next trace. */
export function limitsLeft(limits: Limits, used: Used): Limits {
  return {
    maxGas: limits.maxGas - used.gas,
    maxCpuMs: limits.maxCpuMs - used.cpuMs,
    maxMs: limits.maxMs - used.ms,
    maxTransactions: limits.maxTransactions - used.transactions,
  };
}

/** `ms`: how long the emulation of the trace took. */
export function usedWith(
  used: Used,
  { gasUsed, cpuMs, transactions }: Pick<ExpectedTrace, "gasUsed" | "cpuMs" | "transactions">,
  ms: number,
): Used {
  return {
    gas: used.gas + gasUsed,
    cpuMs: used.cpuMs + cpuMs,
    ms: used.ms + ms,
    transactions: used.transactions + transactions.length,
  };
}
