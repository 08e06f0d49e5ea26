import { type AnyDefinition, type Definitions, flatten } from "../../../shared/methods/define.js";
import type { Api } from "../../errors.js";

/** A method as the documents describe it. */
export type DocumentedMethod = {
  readonly name: string;
  readonly api: Api;
  readonly definition: AnyDefinition;
};

/** What the documents say of the service. */
export type ServiceIdentity = {
  network: string;
  version: string;
  /** Where callers reach it; without it documents have a relative URL, or none. */
  publicUrl?: string | undefined;
};

/** The methods that a network has, in registry order. */
export function methodsOf(registry: Definitions, network: string): DocumentedMethod[] {
  return flatten(registry)
    .filter(([, { network: only }]) => only === undefined || only === network)
    .map(([name, definition]) => ({ name, api: name.startsWith("v3.") ? "v3" : "v2", definition }));
}
