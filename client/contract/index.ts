export {
  type ContractAt,
  type ContractDefinition,
  type ContractTypes,
  type GetMethods,
  type Messages,
  type ReadBody,
  TypedContract,
} from "./typed-contract.js";
