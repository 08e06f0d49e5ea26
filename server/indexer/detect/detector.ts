import type { Address } from "../../../shared/values/address.js";
import type { GetMethods } from "../../contracts/get-method.js";
import type { ContractAccounts } from "../../contracts/methods-at.js";
import type { RowOf } from "../../store/declare/table.js";
import type { ContractTable, contractColumns } from "../../store/tables/contract-columns.js";

type OwnColumns<T extends ContractTable> = Omit<RowOf<T["columns"]>, keyof typeof contractColumns>;

type Reader<T extends ContractTable> = {
  /** Get-methods that the code has. */
  readonly needs: readonly string[];
  /** Hash of the only code that is read, upper-case hex; without it any code with the methods is. */
  readonly codeHash?: string;
  /** Reads a contract. Throws UnexpectedAnswer, a CellError or a TlbError if it is of another kind. */
  read(contracts: ContractAccounts, address: Address): Promise<OwnColumns<T>>;
  /** Whether a contract that cannot be read is of no other version either. Throws as `read` does. */
  excludesOthers?(contracts: ContractAccounts, address: Address): Promise<boolean>;
};

/** A row of another table, for contracts of a kind that are something more. */
export type Companion<T extends ContractTable, Other extends ContractTable = ContractTable> = {
  readonly table: Other;
  /** Reads it from the contract and its row. Throws UnexpectedAnswer, a CellError or a TlbError if there is none. */
  read(contracts: ContractAccounts, address: Address, row: OwnColumns<T>): Promise<OwnColumns<Other>>;
};

/**
 * What ties a contract to the one it belongs to, which must confirm it: anybody can deploy a contract that names an owner. A
 * confirmed contract is confirmed again only when these columns, its code or the owner's code have changed.
 */
export type OwnerLink<T extends ContractTable = ContractTable> = {
  /** The column with the owner's address. A contract where it is null has no owner, and needs none. */
  readonly owner: keyof OwnColumns<T> & string;
  /** The columns by which the owner knows the contract. */
  readonly by: readonly (keyof OwnColumns<T> & string)[];
  /** Asks the owner. Throws UnexpectedAnswer, a CellError or a TlbError if it does not confirm the contract. */
  confirm(methods: GetMethods, address: Address, row: OwnColumns<T>): Promise<void>;
};

/** A kind of contract: what is stored of it, and how each of its versions is recognised, the first to be tried first. */
export type Detector<T extends ContractTable = ContractTable> = {
  readonly table: T;
  readonly versions: readonly Reader<T>[];
  readonly ownerLink?: OwnerLink<T>;
  readonly companion?: Companion<T>;
};

/** Keeps the columns of the table checked, which a list of detectors of different tables cannot. */
export function detector<T extends ContractTable>(kind: Detector<T>): Detector {
  return kind as unknown as Detector;
}

/** The same for the table of a companion. */
export function companion<T extends ContractTable, Other extends ContractTable>(
  one: Companion<T, Other>,
): Companion<T> {
  return one as unknown as Companion<T>;
}
