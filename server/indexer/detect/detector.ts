import type { Address } from "../../../shared/values/address.js";
import type { GetMethods } from "../../contracts/get-method.js";
import type { RowOf } from "../../store/declare/table.js";
import type { ContractTable, contractColumns } from "../../store/tables/contract-columns.js";

type OwnColumns<T extends ContractTable> = Omit<RowOf<T["columns"]>, keyof typeof contractColumns>;

/** A kind of contract: how it is recognised, and what is stored of it. */
export type Detector<T extends ContractTable = ContractTable> = {
  readonly table: T;
  /** Get-methods that its code has: all of one of these lists. */
  readonly needs: readonly (readonly string[])[];
  /** Reads a contract. Throws UnexpectedAnswer, a CellError or a TlbError if it is of another kind. */
  read(methods: GetMethods, address: Address): Promise<OwnColumns<T>>;
};

/** Keeps the columns of the table checked, which a list of detectors of different tables cannot. */
export function detector<T extends ContractTable>(kind: Detector<T>): Detector {
  return kind as unknown as Detector;
}
