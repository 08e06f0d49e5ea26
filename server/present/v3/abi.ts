import type { z } from "zod";
import type { AbiBody, AbiOpcode, AbiRun, AbiSource, ContractAbi } from "../../../shared/schema/v3/abi.js";
import type { artifact as artifactRecord, contractSources } from "../../../shared/schema/v3/artifacts.js";
import { AbiError } from "../../../shared/ton/abi/abi-error.js";
import { type GetMethod, type MessageList, messageLists } from "../../../shared/ton/abi/model.js";
import { Work } from "../../../shared/ton/abi/work.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { MethodOutcome } from "../../../shared/ton/run/run-get-method.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { claimedText } from "../../../shared/values/claimed-text.js";
import type { ExitMeaning } from "../../../shared/values/exit-codes/explain.js";
import { hasSucceeded } from "../../../shared/values/exit-codes/kinds.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { interfaceOf, Room } from "../../artifacts/interface.js";
import type { ChosenAbi } from "../../artifacts/store.js";
import { ServiceError } from "../../errors.js";

const maxDescription = 300;
/** Limits of an answer with interfaces: members of all, characters of all files, and code hashes of each. */
const maxMembers = 5000;
const maxFileCharacters = 2 << 20;
const maxCodeHashes = 100;

/** How ABIs are found for an account. */
export function abiKeysOf({ address, code }: Pick<AccountSnapshot, "address" | "code">) {
  return { codeHash: code && bytesToBase64(code.hash()), account: address.toRawUpper() };
}

/** Source files of a code, in artifacts that have some. All share a limit on their characters. */
export function presentSources(artifacts: readonly Artifact[], max: number) {
  let charactersLeft = maxFileCharacters;
  return artifacts
    .slice(0, max)
    .map(({ contract, trust, file, compiler, map, sources }): z.output<typeof contractSources> => {
      const files = sources.filter(({ text }) => {
        charactersLeft -= text.length;
        return charactersLeft >= 0;
      });
      const is_cut = files.length < sources.length;
      return { contract, trust, file, compiler, map: map?.format ?? null, files, is_cut };
    });
}

export function presentArtifact(artifact: Artifact): z.output<typeof artifactRecord> {
  const { file, format, trust, contract, codeHashes, compiler, coder, map, sources } = artifact;
  return {
    ...{ file, format, trust, contract, compiler },
    code_hashes: [...codeHashes],
    has_abi: coder !== undefined,
    map: map?.format ?? null,
    sources: sources.map((source) => source.file),
  };
}

function sourceOf({ contract, trust, by }: ChosenAbi): AbiSource {
  return { contract, trust, by };
}

/** Presents ABIs, which share limits on their members and on the length of their files. */
export class AbiAnswer {
  readonly #withFiles: boolean;
  readonly #room = new Room(maxMembers);
  #charactersLeft = maxFileCharacters;

  constructor(withFiles: boolean) {
    this.#withFiles = withFiles;
  }

  add(abi: ChosenAbi): ContractAbi {
    const { coder, artifact } = abi;
    const { getMethods, isCut, ...interfaceMembers } = interfaceOf(coder, this.#room);
    const file = this.#withFiles ? this.#fileOf(artifact) : undefined;
    return {
      ...sourceOf(abi),
      compiler: coder.abi.compiler,
      code_hashes: artifact.codeHashes.slice(0, maxCodeHashes),
      ...interfaceMembers,
      get_methods: getMethods,
      is_cut: isCut,
      ...(file !== undefined && { abi: file }),
    };
  }

  #fileOf({ abiJson }: Artifact): Record<string, unknown> | undefined {
    if (!abiJson || abiJson.length > this.#charactersLeft) return undefined;
    this.#charactersLeft -= abiJson.length;
    return abiJson.open() as Record<string, unknown>;
  }
}

/** A body by the first ABI that it fits. `work` is given if more ABIs than these are tried. */
export function abiBodyOf(
  abis: Iterable<ChosenAbi>,
  body: Cell,
  lists: readonly MessageList[] = messageLists,
  work = Work.onCell(body),
): AbiBody | null {
  for (const abi of abis) {
    const read = abi.coder.readBody(body, lists, work);
    if (read) return { ...sourceOf(abi), ...read };
  }
  return null;
}

export type AbiStorage = { storage: unknown } | { storage_error: string };

/** The storage of a contract by the first ABI that it fits; `undefined` if no ABI describes it. */
export function abiStorageOf(abis: Iterable<ChosenAbi>, data: Cell): AbiStorage | undefined {
  let error: string | undefined;
  for (const { coder, contract } of abis) {
    if (coder.abi.storage.length === 0) continue;
    const storage = coder.readStorage(data, "ton-center");
    if (storage !== undefined) return { storage };
    error ??= `the data do not fit the storage of ${claimedText(contract)}`;
  }
  return error === undefined ? undefined : { storage_error: error };
}

/** The first message of an opcode. */
export function abiOpcodeOf(abis: Iterable<ChosenAbi>, opcode: number): AbiOpcode | null {
  for (const abi of abis) {
    const message = abi.coder.opcodeName(opcode, messageLists);
    if (message !== undefined) return { ...sourceOf(abi), message };
  }
  return null;
}

/** Messages that a contract receives. */
const received = ["incoming", "external"] as const;

/** The operations of the first ABI; `undefined` if this opcode is one of them, or no ABI is known. */
export function abiOperationsBut(abis: Iterable<ChosenAbi>, opcode: number): string[] | undefined {
  for (const { coder } of abis) {
    if (coder.opcodeName(opcode, received) !== undefined) return undefined;
    return received.flatMap((list) => coder.messages(list).map(({ name }) => claimedText(name)));
  }
  return undefined;
}

/** A get-method, in the first ABI that has it. */
export type MethodByAbi = { readonly abi: ChosenAbi; readonly method: GetMethod };

export function methodByAbi(abis: Iterable<ChosenAbi>, nameOrId: string): MethodByAbi | undefined {
  const id = /^-?\d{1,9}$/.test(nameOrId) ? Number(nameOrId) : nameOrId;
  for (const abi of abis) {
    const method = abi.coder.getMethod(id);
    if (method) return { abi, method };
  }
  return undefined;
}

/** Arguments on the stack. Throws a `ServiceError` if the ABI has no such method, or an argument has another type. */
export function writeArguments(found: MethodByAbi | undefined, args: object, name: string) {
  const refuse = (reason: string): never => {
    throw new ServiceError("invalid-params", reason, { data: { param: "args" } });
  };
  if (!found) return refuse(`no ABI of the contract has a get-method ${claimedText(name)}; pass a stack`);
  try {
    return found.abi.coder.writeArguments(found.method, args);
  } catch (error) {
    if (error instanceof AbiError) return refuse(error.message);
    throw error;
  }
}

export function presentAbiRun({ abi, method }: MethodByAbi, { exitCode, stack }: MethodOutcome): AbiRun {
  const { coder } = abi;
  const success = hasSucceeded(exitCode);
  const error = success ? undefined : coder.abi.errors.get(exitCode);
  const result = success ? coder.readResult(method, stack) : undefined;
  return {
    ...sourceOf(abi),
    method: method.name,
    returns: coder.nameOf(method.returns),
    ...(result !== undefined && { result }),
    ...(error && { error }),
  };
}

/** The meaning of an exit code in an ABI. */
export type AbiMeaning = ExitMeaning & { readonly source: AbiSource };

/** The meaning of an exit code in the first ABI that has one, whose texts are their author's. */
export function abiMeaning(abis: Iterable<ChosenAbi>, code: number): AbiMeaning | undefined {
  for (const abi of abis) {
    const error = abi.coder.errorOf(code);
    if (!error) continue;
    const name = claimedText(error.name) || String(code);
    const text =
      sentenceOf(claimedText(error.description, maxDescription)) ||
      `Error ${name} of ${claimedText(abi.contract)}.`;
    return { name, text, source: sourceOf(abi) };
  }
  return undefined;
}

/**
 * An ABI's meaning before that of an interface or of the machine, except that what is built in gives way: a known
 * interface has words for all contracts of its kind.
 */
export function chosenMeaning(
  own: AbiMeaning | undefined,
  known: ExitMeaning | undefined,
): ExitMeaning | AbiMeaning | undefined {
  return own && (own.source.trust !== "built in" || !known) ? own : known;
}

function sentenceOf(text: string): string {
  return text === "" || /[.!?…]$/.test(text) ? text : `${text}.`;
}
