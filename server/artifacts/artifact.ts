import type { AbiSource } from "../../shared/schema/v3/abi.js";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import type { SourceMap, SourceText } from "./compiled.js";
import type { PackedJson } from "./packed.js";

/** The formats of files that are read, by the tools that write them. */
type ArtifactFormat =
  | "tolk"
  | "artifact"
  | "func"
  | "source-map"
  | "tact"
  | "tact-package"
  | "blueprint"
  | "tlb"
  | "verifier"
  | "sources-registry"
  | "catalogue";

/** Who vouches for an artifact. */
export type Trust = AbiSource["trust"];

/** A contract as a file describes it. */
export type Artifact = {
  /** The file, relative to its folder. */
  readonly file: string;
  readonly format: ArtifactFormat;
  readonly trust: Trust;
  /** The contract's name; in a catalogue the one that is shown. */
  readonly contract: string;
  /** Base64, of the contract's code cells. */
  readonly codeHashes: readonly string[];
  /** Raw, upper case. */
  readonly addresses: readonly string[];
  /** Version of the compiler, for the choice between equal ones. */
  readonly compiler: string;
  /** Opcodes of its messages, by which an unknown contract is guessed. */
  readonly opcodes: readonly number[];
  /** Absent if the file has no ABI. */
  readonly coder: (() => AbiCoder) | undefined;
  /** The source files that it contains. */
  readonly sources: readonly SourceText[];
  /** The place of each instruction in the sources. The hash of the code does not prove it. */
  readonly map: SourceMap | undefined;
  /** Only for contracts of a catalogue. */
  readonly entry?: CatalogueEntry;
  /** The ABI as the file has it; absent without one. */
  readonly abiJson: PackedJson | undefined;
};

/** The members of a contract that catalogues alone have. */
export type CatalogueEntry = {
  readonly id: string;
  readonly links: readonly ContractLink[];
  /** Numbers of get-methods and messages: of entries with one code, the one that tells most is best. */
  readonly size: readonly [getMethods: number, messages: number];
};

type ContractLink = { readonly kind: string; readonly title: string; readonly url: string };
