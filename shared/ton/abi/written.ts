import type { AbiType, ContractAbi, ThrownError, TypeIndex } from "./model.js";

/** Version of the form below. A program with another one is to be written again. */
export const writtenFormat = 1;

/** An ABI as a part of a program: members of the model that are absent, false, or only for people are left out. */
export type WrittenAbi = {
  readonly format: typeof writtenFormat;
  readonly types: readonly AbiType[];
  readonly declarations: readonly { readonly name: string }[];
  readonly instances: readonly (readonly [TypeIndex, readonly TypeIndex[]])[];
  readonly messages: ContractAbi["messages"];
  readonly storage: readonly TypeIndex[];
  readonly getMethods: readonly object[];
};

type WrittenErrors = { readonly [code: number]: ThrownError };

export function abiOf(contract: string, written: WrittenAbi, errors: WrittenErrors): ContractAbi {
  const abi = {
    ...written,
    contract,
    compiler: "",
    declarations: new Map(written.declarations.map((declared) => [declared.name, declared])),
    instances: new Map(written.instances),
    errors: new Map(Object.entries(errors).map(([code, error]) => [Number(code), error])),
  };
  // Readers and writers of values take absent members for absent values.
  return abi as unknown as ContractAbi;
}
