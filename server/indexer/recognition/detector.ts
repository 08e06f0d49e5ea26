import type { GetMethods } from "../../../shared/ton/contracts/get-method.js";
import type { Address } from "../../../shared/values/address.js";
import type { Retrace } from "../../chain/retrace/retrace.js";
import type { ContractAccounts } from "../../contracts/methods-at.js";
import type { RowOf } from "../../store/declare/table.js";
import type { ContractTable, contractColumns } from "../../store/tables/contract-columns.js";

/** Get-method ids by the key of the code's hash. */
export type MethodsByCode = ReadonlyMap<string, readonly number[]>;

/** Rules for following nominator pools. */
export type PoolRules = {
  /** Keys of their code hashes. */
  readonly codes: ReadonlySet<string>;
  /** Without it, blocks with several transactions of a pool yield no events of it. */
  readonly retrace?: Pick<Retrace, "block"> | undefined;
};

type OwnColumns<T extends ContractTable> = Omit<RowOf<T["columns"]>, keyof typeof contractColumns>;

type Reader<T extends ContractTable> = {
  /** Get-methods required in the code. */
  readonly needs: readonly string[];
  /** Hash of the only accepted code, upper-case hex; without it any code with the methods is accepted. */
  readonly codeHash?: string;
  /** Reads a contract. Throws UnexpectedAnswer, a CellError or a TlbError if it is of another kind. */
  read(contracts: ContractAccounts, address: Address): Promise<OwnColumns<T>>;
  /** Whether an unreadable contract cannot be of another version either. Throws as `read` does. */
  excludesOthers?(contracts: ContractAccounts, address: Address): Promise<boolean>;
};

/** A row in a second table, for contracts of a kind with an additional role. */
type Companion<T extends ContractTable, Other extends ContractTable = ContractTable> = {
  readonly table: Other;
  /**
   * Reads it from the contract and its row. Throws UnexpectedAnswer, a CellError or a TlbError if the contract lacks
   * the role.
   */
  read(contracts: ContractAccounts, address: Address, row: OwnColumns<T>): Promise<OwnColumns<Other>>;
};

/**
 * Link of a contract to its owner, which must confirm it, because anyone can deploy a contract that names an owner. It
 * is confirmed again only if these columns, the contract's code or the owner's code have changed.
 */
type OwnerLink<T extends ContractTable = ContractTable> = {
  /** The column with the owner's address. A contract with null here has no owner and needs no confirmation. */
  readonly owner: keyof OwnColumns<T> & string;
  /** The columns that the owner checks. */
  readonly by: readonly (keyof OwnColumns<T> & string)[];
  /**
   * Runs the owner's method. Throws UnexpectedAnswer, a CellError or a TlbError if it does not confirm the contract.
   */
  confirm(methods: GetMethods, address: Address, row: OwnColumns<T>): Promise<void>;
};

/** A kind of contract: its table, and the readers of its versions in the order to try. */
export type Detector<T extends ContractTable = ContractTable> = {
  readonly table: T;
  readonly versions: readonly Reader<T>[];
  readonly ownerLink?: OwnerLink<T>;
  readonly companion?: Companion<T>;
};

/** Type-checks the columns against the table, which a list of detectors of different tables cannot do. */
export function detector<T extends ContractTable>(kind: Detector<T>): Detector {
  return kind as unknown as Detector;
}

/** The same for a companion's table. */
export function companion<T extends ContractTable, Other extends ContractTable>(
  one: Companion<T, Other>,
): Companion<T> {
  return one as unknown as Companion<T>;
}
