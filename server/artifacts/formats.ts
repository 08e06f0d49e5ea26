import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import type { ContractAbi } from "../../shared/ton/abi/model.js";
import { isTactAbi, readTactAbi } from "../../shared/ton/abi/tact.js";
import { isTolkAbi, readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { CellError } from "../../shared/ton/cells/cell-error.js";
import { base64ToBytes, bytesToBase64, readHash } from "../../shared/values/bytes.js";
import { ifJson } from "../../shared/values/json.js";
import { lazy } from "../../shared/values/lazy.js";
import type { Artifact } from "./artifact.js";
import { PackedJson } from "./packed-json.js";

type Members = Readonly<Record<string, unknown>>;

/** Recognises a file by its members. `undefined` for JSON of other kinds, of which projects have many. */
export function readArtifact(file: string, json: unknown): Artifact | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const members = json as Members;
  if (isTolkAbi(members)) return artifactOf({ file, format: "tolk", abi: readTolkAbi(members), json });
  if (isTactAbi(members)) return artifactOf({ file, format: "tact", abi: readTactAbi(members), json });
  const tact = tactPackage(file, members);
  if (tact) return tact;
  const inner = innerAbi(members);
  if (inner !== undefined) {
    const code = members["code_boc64"] ?? members["codeBoc64"];
    const codeHashes = hashOfCode(code);
    const name = members["display_name"];
    return artifactOf({ file, format: "artifact", abi: readTolkAbi(inner), json: inner, codeHashes, name });
  }
  return blueprintArtifact(file, members);
}

/** Tact's `.pkg` has the code, and the ABI as text. */
function tactPackage(file: string, { abi, code, compiler }: Members): Artifact | undefined {
  const json = typeof abi === "string" && typeof code === "string" ? parsed(abi) : undefined;
  if (!isTactAbi(json)) return undefined;
  const read = readTactAbi(json, compilerOf(compiler));
  return artifactOf({ file, format: "tact-package", abi: read, json, codeHashes: hashOfCode(code) });
}

function compilerOf(compiler: unknown): string {
  const version =
    typeof compiler === "object" && compiler !== null && "version" in compiler ? compiler.version : "";
  return `tact ${typeof version === "string" ? version.slice(0, 50) : ""}`.trim();
}

/** The ABI in the compiler's own output, or beside code and source map. */
function innerAbi(members: Members): unknown {
  const inner = members["abi"] ?? members["abiJson"];
  const json = typeof inner === "string" ? parsed(inner) : inner;
  return isTolkAbi(json) ? json : undefined;
}

type FileWithAbi = Pick<Artifact, "file" | "format"> & {
  readonly abi: ContractAbi;
  /** The ABI as the file has it. */
  readonly json: unknown;
  readonly codeHashes?: readonly string[];
  readonly name?: unknown;
};

function artifactOf({ file, format, abi, json, codeHashes = [], name }: FileWithAbi): Artifact {
  const coder = lazy(() => new AbiCoder(abi));
  return {
    file,
    format,
    trust: "own",
    contract: abi.contract || (typeof name === "string" && name.slice(0, 256)) || stemOf(file),
    codeHashes,
    addresses: [],
    compiler: abi.compiler,
    opcodes: coder().opcodes(),
    coder,
    source: new PackedJson(json),
  };
}

/** Blueprint's `*.compiled.json` has the code of a contract whose name is the file's. */
function blueprintArtifact(file: string, { hash, hex }: Members): Artifact | undefined {
  if (typeof hash !== "string" || typeof hex !== "string") return undefined;
  const bytes = readHash(hash);
  if (!bytes) return undefined;
  return {
    file,
    format: "blueprint",
    trust: "own",
    contract: stemOf(file),
    codeHashes: [bytesToBase64(bytes)],
    addresses: [],
    compiler: "",
    opcodes: [],
    coder: undefined,
    source: undefined,
  };
}

/** The name of a file up to its first dot. */
export function stemOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return name.split(".", 1)[0]!;
}

function hashOfCode(code: unknown): string[] {
  if (code === undefined || code === null) return [];
  const bytes = typeof code === "string" ? base64ToBytes(code) : undefined;
  if (!bytes) throw new AbiError("the code is not base64");
  try {
    return [bytesToBase64(parseBocRoot(bytes).hash())];
  } catch (error) {
    if (error instanceof CellError) throw new AbiError(`the code is no bag of cells: ${error.message}`);
    throw error;
  }
}

function parsed(text: string): unknown {
  const json = ifJson(text);
  if (json === undefined) throw new AbiError("the ABI inside is not JSON");
  return json;
}
