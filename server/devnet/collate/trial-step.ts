import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { DevnetError } from "../devnet-error.js";
import { ChainSide } from "./chain-side.js";
import { collateStep, type MadeStep } from "./collate-step.js";
import { Budget } from "./messages/budget.js";
import type { Injection } from "./messages/unsent-messages.js";
import { type BlockWork, endLtsWith, type Step } from "./step.js";

/** The error for a configuration under which no block can be made. */
export function unusableConfig(reason: string): DevnetError {
  return new DevnetError("invalid", `no block can be made with this configuration: ${reason}`);
}

/**
 * Makes a step after the blocks of `made`, with their configuration, and discards it. Throws `DevnetError` if that
 * fails. Each of its blocks has a transaction, because the executor reads the configuration for these.
 */
export async function tryNextStep(step: Step, { pair }: MadeStep): Promise<void> {
  const next: Step = {
    ...step,
    masterchain: new ChainSide(pair.masterchain),
    basechain: new ChainSide(pair.basechain),
    endLts: endLtsWith(pair, step.endLts),
  };
  try {
    await collateStep(next, {
      basechain: trialWork(0),
      masterchain: trialWork(masterchain),
      previousSignatures: pair.signatures.signatures,
    });
  } catch (error) {
    throw unusableConfig(error instanceof Error ? error.message : String(error));
  }
}

function trialWork(workchain: number): BlockWork {
  const nobody = new Address(workchain, new Uint8Array(32));
  const message: Injection = { from: nobody, to: nobody, value: 0n, bounce: false };
  const budget = Budget.of({ transactions: 0, timeMs: Number.POSITIVE_INFINITY }, () => 0);
  return { externals: [], injected: [message], edits: [], budget };
}
