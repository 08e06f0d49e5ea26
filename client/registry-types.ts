import type { MethodTable } from "./api.js";

// Parameters and results of methods by their names.

/** The JSON-RPC name of a method, such as `getAddressBalance` or `v3.jetton.wallets`. */
export type MethodName = keyof MethodTable;

/** The result of a method; `unknown` for names that are not in the registry. */
export type Result<Name extends string> = Name extends MethodName ? MethodTable[Name]["result"] : unknown;

/** The parameters of a method. */
export type Params<Name extends MethodName> = MethodTable[Name]["params"];

/** The arguments of a call. Parameters may be omitted if all of them are optional. */
export type Arguments<Name extends MethodName> = MethodTable[Name]["args"];
