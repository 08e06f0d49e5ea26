import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { isTactAbi, readTactAbi } from "../../shared/ton/abi/tact.js";
import { readTlb } from "../../shared/ton/abi/tlb.js";
import { isTolkAbi, readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { bytesToBase64, readHash } from "../../shared/values/bytes.js";
import { ifJson, isDeeperThan } from "../../shared/values/json.js";
import type { Artifact } from "./artifact.js";
import { cellIn, jsonIn, mapIn, maxDepth, sourcesIn } from "./compiled.js";
import { PackedJson } from "./packed.js";

type Members = Readonly<Record<string, unknown>>;

/** Recognises the text of a file. `undefined` for other files, of which projects have many. */
export function readArtifactText(file: string, text: string): Artifact | undefined {
  if (/^\s*[{[]/.test(text))
    return isDeeperThan(maxDepth, text) ? undefined : readArtifact(file, ifJson(text));
  const scheme = readTlb(text);
  return scheme && artifactOf(file, "tlb", partsOf(new AbiCoder(scheme)));
}

/**
 * Recognises a file by its members. `undefined` for JSON of other kinds. Throws an AbiError if a file of a known kind is
 * malformed.
 */
export function readArtifact(file: string, json: unknown): Artifact | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const members = json as Members;
  if (isTolkAbi(members)) return artifactOf(file, "tolk", abiParts(members));
  if (isTactAbi(members)) return artifactOf(file, "tact", abiParts(members));
  return (
    tactPackage(file, members) ??
    compiled(file, members) ??
    mapAlone(file, members) ??
    blueprint(file, members)
  );
}

/** An artifact with these parts, and no others. */
export function artifactOf(file: string, format: Artifact["format"], parts: Partial<Artifact>): Artifact {
  return {
    file,
    format,
    trust: "own",
    codeHashes: [],
    addresses: [],
    compiler: "",
    opcodes: [],
    coder: undefined,
    abiJson: undefined,
    sources: [],
    map: undefined,
    ...parts,
    contract: parts.contract || stemOf(file),
  };
}

function abiParts(json: unknown, compiler?: string) {
  return { ...partsOf(readCoder(json, compiler)), abiJson: PackedJson.of(json) };
}

function partsOf(coder: AbiCoder) {
  const { contract, compiler } = coder.abi;
  return { contract, compiler, opcodes: coder.opcodes(), coder: () => coder };
}

/** Reads an ABI as its file has it, or a scheme; packages of Tact name their compiler beside it. */
export function readCoder(json: unknown, compiler?: string): AbiCoder {
  const scheme = typeof json === "string" ? readTlb(json) : undefined;
  if (scheme) return new AbiCoder(scheme);
  return new AbiCoder(isTolkAbi(json) ? readTolkAbi(json) : readTactAbi(json, compiler));
}

/** Tact's `.pkg` has the code, the sources, and the ABI as text. */
function tactPackage(file: string, members: Members): Artifact | undefined {
  const { abi, code, compiler } = members;
  const json =
    typeof abi === "string" && typeof code === "string" ? jsonIn(abi, "the ABI inside") : undefined;
  if (!isTactAbi(json)) return undefined;
  return artifactOf(file, "tact-package", {
    ...abiParts(json, compilerOf(compiler)),
    codeHashes: hashOfCode(code),
    sources: sourcesIn(members),
  });
}

function compilerOf(compiler: unknown): string {
  const version =
    typeof compiler === "object" && compiler !== null && "version" in compiler ? compiler.version : "";
  return `tact ${typeof version === "string" ? version.slice(0, 50) : ""}`.trim();
}

/** The output of a compiler, or what a build tool makes of it: code with ABI, map or sources. */
function compiled(file: string, members: Members): Artifact | undefined {
  const inner = members["abi"] ?? members["abiJson"];
  const json = typeof inner === "string" ? jsonIn(inner, "the ABI inside") : inner;
  const abi = isTolkAbi(json) ? abiParts(json) : undefined;
  const funcCode = members["codeBoc"];
  const code = members["code_boc64"] ?? members["codeBoc64"] ?? funcCode;
  if (!abi && typeof code !== "string") return undefined;
  const map = mapIn(members);
  const sources = sourcesIn(members);
  if (!abi && !map && sources.length === 0) return undefined;
  const name = members["display_name"];
  return artifactOf(file, funcCode === undefined ? "artifact" : "func", {
    compiler: versionOf(members),
    ...abi,
    contract: abi?.contract || (typeof name === "string" ? name.slice(0, 256) : ""),
    codeHashes: hashOfCode(code),
    sources,
    map,
  });
}

function versionOf({ tolkVersion }: Members): string {
  return typeof tolkVersion === "string" ? `tolk ${tolkVersion.slice(0, 50)}` : "";
}

/** A map in a file of its own has the code for which it was made, or belongs to the code of its name. */
function mapAlone(file: string, members: Members): Artifact | undefined {
  const map = mapIn(members);
  if (!map) return undefined;
  const { recompiledCode, highlevelMapping } = members;
  return artifactOf(file, "source-map", {
    codeHashes: hashOfCode(recompiledCode),
    sources: sourcesIn((highlevelMapping ?? {}) as Members),
    map,
  });
}

/** Blueprint's `*.compiled.json` has the code of a contract whose name is the file's. */
function blueprint(file: string, { hash, hex }: Members): Artifact | undefined {
  const bytes = typeof hash === "string" && typeof hex === "string" ? readHash(hash) : undefined;
  return bytes && artifactOf(file, "blueprint", { codeHashes: [bytesToBase64(bytes)] });
}

/** The name of a file up to its first dot. */
export function stemOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return name.split(".", 1)[0]!;
}

function hashOfCode(code: unknown): string[] {
  return code === undefined || code === null ? [] : [bytesToBase64(cellIn(code, "the code").hash())];
}
