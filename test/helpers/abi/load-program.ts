import { transformSync } from "esbuild";
import type { ContractDefinition } from "../../../client/contract/index.js";
import { readArtifact } from "../../../server/artifacts/formats.js";
import { programOf } from "../../../server/artifacts/typescript/program.js";

/** What `tonwire types` writes for these ABIs. */
export function programFor(...abis: readonly object[]): string {
  return programOf(abis.map((abi, i) => readArtifact(`build/${i}.abi.json`, abi)!));
}

/** The definitions of a written program. Their types are known to its compiler only. */
export async function loadProgram(program: string): Promise<Record<string, ContractDefinition<LooseTypes>>> {
  const { code } = transformSync(program, { loader: "ts", format: "esm" });
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}

type Fields = { readonly [name: string]: unknown };
type LooseTypes = {
  readonly incoming: Record<string, Fields>;
  readonly external: Record<string, Fields>;
  readonly outgoing: Record<string, Fields>;
  readonly events: Record<string, Fields>;
  readonly storage: unknown;
  readonly get: Record<string, (args?: Fields) => unknown>;
};
