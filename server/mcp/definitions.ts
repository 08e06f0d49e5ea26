import type { z } from "zod";
import { type AnyDefinition, flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { lazy } from "../../shared/values/lazy.js";
import { memberOf } from "../../shared/values/lookups.js";

const byName = lazy(() => new Map(flatten(registry)));

/** The definition of a method; throws if there is none, so that a renamed method is noticed. */
export function definitionOf(method: string): AnyDefinition {
  const found = byName().get(method);
  if (!found) throw new TypeError(`the registry has no method ${method}`);
  return found;
}

/** Some parameters of a method, as its definition has them; without names all but those for words, which are always wanted. */
export function paramsOf(method: string, names?: readonly string[]): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = definitionOf(method).params.shape;
  return Object.fromEntries(
    (names ?? Object.keys(shape).filter((name) => !wordParams.includes(name))).map((name) => [
      name,
      memberOf(shape, name),
    ]),
  );
}

/** Parameters that add sentences to actions and statuses, and names and values by the ABIs of contracts. */
const wordParams = ["include_text", "include_abi"];

/** Parameters of a call whose answer has these words, if the method has them and the call does not choose. */
export function withWords(method: string, params: object): object {
  const { shape } = definitionOf(method).params;
  const wanted = wordParams.filter((name) => name in shape).map((name) => [name, true]);
  return { ...Object.fromEntries(wanted), ...params };
}

/** The definition of a method. */
export function aboutMethod(method: string): string {
  const { summary, description } = definitionOf(method);
  return description === undefined ? summary : `${summary} ${description}`;
}
