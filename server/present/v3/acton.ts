import type { ActonContract, ActonMethod, ActonSnapshot } from "../../../shared/schema/v3/acton.js";
import type { AbiCoder } from "../../../shared/ton/abi/coder.js";
import type { GetMethod, TypeIndex } from "../../../shared/ton/abi/model.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { presentHash } from "../../../shared/ton/present/records.js";
import { presentTypedStack } from "../../../shared/ton/present/stack.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import type { MethodOutcome } from "../../../shared/ton/run/run-get-method.js";
import { hasSucceeded } from "../../../shared/values/exit-codes/kinds.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { coderOf } from "../../artifacts/store.js";
import { ServiceError } from "../../errors.js";
import { presentStack } from "./stack.js";

/** The id of a contract: its catalogue's, or the name of one of the operator. */
export function catalogIdOf({ entry, contract }: Artifact): string {
  return entry?.id ?? contract;
}

export function presentContract(artifact: Artifact, { withAbi }: { withAbi: boolean }): ActonContract {
  const { contract, codeHashes, addresses, entry, abiJson, format } = artifact;
  const coder = coderOf(artifact);
  return {
    catalog_id: catalogIdOf(artifact),
    display_name: contract,
    code_hashes: [...codeHashes],
    known_addresses: [...addresses],
    links: [...(entry?.links ?? [])],
    get_methods: coder ? coder.abi.getMethods.map((method) => presentMethod(coder, method)) : [],
    ...(withAbi && !format.startsWith("tact") && abiJson && { abi: abiJson.open() }),
  };
}

export function presentMethod(coder: AbiCoder, method: GetMethod): ActonMethod {
  const unsupported = coder.whyUnsupported(method);
  return {
    name: method.name,
    method_id: method.id,
    parameters: method.parameters.map(({ name, type }) => ({ name, type: coder.nameOf(type) })),
    return: coder.nameOf(method.returns),
    ...(method.description !== "" && { description: method.description }),
    ...(unsupported !== undefined && { unsupported }),
  };
}

export function presentType(coder: AbiCoder, type: TypeIndex) {
  return { ty_idx: type, name: coder.wholeNameOf(type) };
}

/** The result of a run in its types, and its stack. */
export function presentRun(coder: AbiCoder, method: GetMethod, { exitCode, gasUsed, stack }: MethodOutcome) {
  const success = hasSucceeded(exitCode);
  const decoded = success ? coder.readResult(method, stack, "ton-center") : undefined;
  const fault = success
    ? `the stack is not of the type ${coder.nameOf(method.returns)}`
    : `the method ended with exit code ${exitCode}`;
  return {
    ...stacksOf(stack),
    gas_used: gasUsed,
    exit_code: exitCode,
    success,
    decoded: decoded ?? null,
    ...(decoded === undefined && { decode_error: fault }),
  };
}

/** A stack can be too deep or too large for an answer, though its type can be read. */
function stacksOf(stack: MethodOutcome["stack"]) {
  try {
    return { stack: presentStack(stack), raw_stack: presentTypedStack(stack) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { stack: null, raw_stack: null, stack_error: error.textIn("v3") };
  }
}

/** `code`: that of the account. */
export function presentSnapshot(account: AccountSnapshot, code: Cell): ActonSnapshot {
  const { address, data, lastTransaction, block } = account;
  const isKnown = lastTransaction.lt > 0n;
  return {
    address: address.toRawUpper(),
    code_hash: presentHash(code.hash()),
    ...(code.type === "library" && { implementation_hash: presentHash(libraryHash(code)) }),
    data_hash: data ? presentHash(data.hash()) : null,
    last_transaction_hash: isKnown ? presentHash(lastTransaction.hash) : null,
    last_transaction_lt: isKnown ? lastTransaction.lt.toString() : null,
    mc_seqno: block.seqno,
  };
}
