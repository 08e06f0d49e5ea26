import { explainActionCode } from "./exit-codes/action.js";
import { explainComputeCode } from "./exit-codes/compute.js";
import { type ExitMeaning, meaningsIn } from "./exit-codes/meanings.js";
import { networkCodes } from "./exit-codes/network.js";
import { tokenCodes } from "./exit-codes/tokens.js";
import { walletCodes } from "./exit-codes/wallets.js";
import { lazy } from "./lazy.js";

export type { ExitMeaning };

/** Where a run failed: a result code of the action phase means something else than the same exit code of the compute phase. */
export type Phase = "compute" | "action";

/** A code with which a contract ended. */
export type ExitCode = {
  /** The number. */
  readonly code: number;
  /** The phase that failed. Default: `compute`. */
  readonly phase?: Phase | undefined;
  /**
   * Which contract ended: names of interfaces as API v3 has them (`wallet_v4r2`), or the type of a wallet as API v2 has it
   * (`wallet v4 r2`).
   */
  readonly contract?: string | readonly string[] | undefined;
};

/**
 * The meaning of an exit code: that of the contract if it has one, else that of the virtual machine. `undefined` if the
 * contract is not known and defines it, or if several contracts were named that do not agree.
 */
export function explainExitCode({ code, phase, contract = [] }: ExitCode): ExitMeaning | undefined {
  if (phase === "action") return explainActionCode(code);
  const own = [contract].flat().flatMap((each) => meaningIn(each, code) ?? []);
  const [first] = own;
  return own.every(({ name }) => name === first?.name) ? (first ?? explainComputeCode(code)) : undefined;
}

/** The interfaces of an account by which its exit codes are explained: two contracts of each network are known by address. */
export function contractsAt(address: string, interfaces: readonly string[] = []): readonly string[] {
  const known = networkContracts.get(address.toLowerCase());
  return known === undefined ? interfaces : [known];
}

/** A sentence of a meaning as the end of another sentence: `out of gas` for `Out of gas.` */
export function asClause({ text }: ExitMeaning): string {
  return text.charAt(0).toLowerCase() + text.slice(1, -1);
}

const networkContracts: ReadonlyMap<string, string> = new Map([
  [`-1:${"3".repeat(64)}`, "elector"],
  [`-1:${"5".repeat(64)}`, "config"],
]);

/** Meanings by contract. */
const contracts = lazy(() => {
  const all = new Map<string, ReadonlyMap<number, ExitMeaning>>();
  const unknown = explainComputeCode(65_535)!;
  const known = new Map([[unknown.name, unknown.text]]);
  for (const section of [walletCodes, tokenCodes, networkCodes].flatMap((list) =>
    list.trim().split(/\n(?=[a-z])/),
  )) {
    const end = section.indexOf("\n");
    const meanings = meaningsIn(section.slice(end), known);
    for (const contract of section.slice(0, end).split(" ")) all.set(contract, meanings);
  }
  return all;
});

function meaningIn(contract: string, code: number): ExitMeaning | undefined {
  return contracts().get(interfaceName(contract))?.get(code);
}

/** `wallet v4 r2` is `wallet_v4r2` in API v3, and `wallet v5 beta` is `wallet_v5_beta`. */
function interfaceName(type: string): string {
  return type.replace(/ r(\d)$/, "r$1").replaceAll(" ", "_");
}
