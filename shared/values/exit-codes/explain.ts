import { lazy } from "../lazy.js";
import { explainActionCode } from "./action.js";
import { explainComputeCode } from "./compute.js";
import { type ExitMeaning, meaningsIn } from "./meanings.js";
import { networkCodes } from "./network.js";
import { tokenCodes } from "./tokens.js";
import { walletCodes } from "./wallets.js";

export type { ExitMeaning };

/**
 * The failed phase: a result code of the action phase has another meaning than the same exit code of the compute phase.
 */
export type Phase = "compute" | "action";

/** The exit code of a contract. */
export type ExitCode = {
  /** The number. */
  readonly code: number;
  /** The phase that failed. Default: `compute`. */
  readonly phase?: Phase | undefined;
  /**
   * The contract: names of interfaces as in API v3 (`wallet_v4r2`), or the type of a wallet as in API v2 (`wallet v4
   * r2`).
   */
  readonly contract?: string | readonly string[] | undefined;
};

/** A run without an error that did not accept the external message. */
export const notAccepted: ExitMeaning = {
  name: "not-accepted",
  text: "The contract did not accept the message.",
};

/**
 * The meaning of an exit code: the contract's if it defines one, else the virtual machine's. `undefined` if an unknown
 * contract defines it, or if the named contracts disagree.
 */
export function explainExitCode({ code, phase, contract = [] }: ExitCode): ExitMeaning | undefined {
  if (phase === "action") return explainActionCode(code);
  const own = [contract].flat().flatMap((each) => meaningIn(each, code) ?? []);
  const [first] = own;
  return own.every(({ name }) => name === first?.name) ? (first ?? explainComputeCode(code)) : undefined;
}

/** The interfaces that explain an account's exit codes: two contracts of each network are known by address. */
export function contractsAt(address: string, interfaces: readonly string[] = []): readonly string[] {
  const known = networkContracts.get(address.toLowerCase());
  return known === undefined ? interfaces : [known];
}

/** Turns the sentence of a meaning into a clause: `out of gas` for `Out of gas.` */
export function asClause({ text }: Pick<ExitMeaning, "text">): string {
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
