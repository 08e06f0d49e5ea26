import { type AnyDefinition, type Definitions, flatten } from "../../../shared/methods/define.js";
import { type Api, apiOf } from "../../errors.js";

/** A method as the documents describe it. */
export type DocumentedMethod = {
  readonly name: string;
  readonly api: Api;
  readonly definition: AnyDefinition;
};

/** Facts about the service that its documents state. */
export type ServiceIdentity = {
  network: string;
  version: string;
  /** Base URL for callers. Documents without it have relative URLs, or none. */
  publicUrl?: string | undefined;
};

/** The methods that a network has, in registry order. */
export function methodsOf(registry: Definitions, network: string): DocumentedMethod[] {
  return flatten(registry)
    .filter(([, { network: only }]) => only === undefined || only === network)
    .map(([name, definition]) => ({ name, api: apiOf(name), definition }));
}
