import type { Overrides } from "../../../shared/schema/overrides.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { type ConfigNumber, configType, configTypes } from "../../../shared/ton/tlb/config/config-param.js";
import type { GasLimitsPrices } from "../../../shared/ton/tlb/config/gas-prices.js";
import { readWhole } from "../../../shared/ton/tlb/read-whole.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import type { AccountFields } from "../../chain/account-fields.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import {
  type ChainReads,
  nothingSupposed,
  SupposedChain,
  type Suppositions,
} from "../../chain/run/supposed-chain.js";
import { ServiceError } from "../../errors.js";
import { CellBudget } from "./cells.js";

/** Parameters with prices and limits of gas. */
const priced: ReadonlySet<number> = new Set([18, 20, 21, 24, 25]);

/** Deepest code, data or parameter: an account and a configuration lie above it. */
const maxDepth = 1000;

/** The chain with the overrides of a call. Throws `bad-boc` and `invalid-params`. */
export function chainWith(overrides: Overrides | undefined, reader: ChainReads): SupposedChain {
  return new SupposedChain(reader, overrides ? suppositionsOf(overrides) : nothingSupposed);
}

/** The bags of cells of a call share one limit. */
function suppositionsOf({ accounts, now, config }: Overrides): Suppositions {
  refuseRepeated(
    "overrides.accounts",
    accounts.map(({ address }) => address.toRaw()),
  );
  refuseRepeated(
    "overrides.config",
    config.map(({ param }) => param),
  );
  const budget = new CellBudget();
  const fields = accounts.map(({ address, balance, code, data }, index): [string, AccountFields] => {
    const path = `overrides.accounts[${index}]`;
    return [
      address.toRaw(),
      {
        balance,
        code: code && codeOf(`${path}.code`, code, budget),
        data: data && ordinaryCell(`${path}.data`, data, budget),
      },
    ];
  });
  const params = config.map(({ param, boc }, index) => {
    const path = `overrides.config[${index}]`;
    const value = ordinaryCell(`${path}.boc`, boc, budget);
    checkParam(path, param, value);
    return [param, value] as const;
  });
  return { accounts: new Map(fields), now, params };
}

/** Throws if two items have the same key: one of them would be ignored. */
function refuseRepeated(path: string, keys: readonly (string | number)[]): void {
  const repeated = keys.find((key, index) => keys.indexOf(key) < index);
  if (repeated !== undefined) throw refused(`${path} has ${repeated} twice`);
}

function cellOf(path: string, boc: Uint8Array, budget: CellBudget): Cell {
  const cell = budget.parse(boc);
  if (!cell) throw new ServiceError("bad-boc", `INVALID_BAG_OF_CELLS: ${path}`);
  if (cell.depth() > maxDepth) throw refused(`${path} is too deep: at most ${maxDepth} levels of cells`);
  return cell;
}

function ordinaryCell(path: string, boc: Uint8Array, budget: CellBudget): Cell {
  const cell = cellOf(path, boc, budget);
  if (cell.exotic) throw refused(`${path} must be an ordinary cell`);
  return cell;
}

function codeOf(path: string, boc: Uint8Array, budget: CellBudget): Cell {
  const cell = cellOf(path, boc, budget);
  if (cell.exotic && cell.type !== "library")
    throw refused(`${path} must be an ordinary cell or a library cell`);
  return cell;
}

/** Parameters of known types are read to their end, because the executor reads some of them unchecked. */
function checkParam(path: string, param: number, value: Cell): void {
  if (!(param in configTypes)) return;
  const found = ifReadable(() => {
    const slice = value.parse();
    const read = configType(param as ConfigNumber).load(slice);
    readWhole(read);
    slice.end();
    return { read };
  });
  if (!found) throw refused(`${path}.boc is no configuration parameter ${param}`);
  if (priced.has(param) && !isPayable(found.read))
    throw refused(`${path}.boc has numbers that the executor cannot compute with`);
}

/** The executor computes with signed numbers, and a contract has its credit and the gas of the flat price at least. */
function isPayable(value: unknown): boolean {
  if (typeof value === "bigint") return value < 1n << 63n;
  if (typeof value !== "object" || value === null) return true;
  const { gasLimit, gasCredit = 0n, flat } = value as Partial<GasLimitsPrices>;
  const needed = [gasCredit, flat?.flatGasLimit ?? 0n];
  if (gasLimit !== undefined && needed.some((gas) => gas > gasLimit)) return false;
  const members = value instanceof Dictionary ? [...value.values()] : Object.values(value);
  return members.every(isPayable);
}

/** A run on a chain with overrides; what the executor cannot run with is the caller's fault. */
export async function runOn<T>(chain: SupposedChain | undefined, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    const isOfState =
      error instanceof ExecutorError && (error.code === "invalid" || error.brokeEmulator) && chain?.isChanged;
    if (!isOfState) throw error;
    throw refused(`the executor cannot run with these overrides: ${error.message}`, error);
  }
}

function refused(text: string, cause?: unknown): ServiceError {
  return new ServiceError("invalid-params", text, {
    data: { param: "overrides" },
    ...(cause !== undefined && { cause }),
  });
}
