import type { Address } from "../../../shared/values/address.js";
import type { GetMethods } from "../../contracts/get-method.js";
import type { RowOf } from "../../store/declare/table.js";
import type { ContractTable, contractColumns } from "../../store/tables/contract-columns.js";

type OwnColumns<T extends ContractTable> = Omit<RowOf<T["columns"]>, keyof typeof contractColumns>;

type Reader<T extends ContractTable> = {
  /** Get-methods that the code has. */
  readonly needs: readonly string[];
  /** Reads a contract. Throws UnexpectedAnswer, a CellError or a TlbError if it is of another kind. */
  read(methods: GetMethods, address: Address): Promise<OwnColumns<T>>;
};

/** A kind of contract: what is stored of it, and how each of its versions is recognised, the first to be tried first. */
export type Detector<T extends ContractTable = ContractTable> = {
  readonly table: T;
  readonly versions: readonly Reader<T>[];
};

/** Keeps the columns of the table checked, which a list of detectors of different tables cannot. */
export function detector<T extends ContractTable>(kind: Detector<T>): Detector {
  return kind as unknown as Detector;
}
