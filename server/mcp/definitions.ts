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

/** Some parameters of a method, as its definition has them; without names all but that for sentences, which are always wanted. */
export function paramsOf(method: string, names?: readonly string[]): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = definitionOf(method).params.shape;
  return Object.fromEntries(
    (names ?? Object.keys(shape).filter((name) => name !== textParam)).map((name) => [
      name,
      memberOf(shape, name),
    ]),
  );
}

/** The parameter that adds sentences to actions and statuses. */
const textParam = "include_text";

/** Parameters of a call whose answer has sentences, if the method has them. */
export function withTexts(method: string, params: object): object {
  return textParam in definitionOf(method).params.shape ? { ...params, [textParam]: true } : params;
}

/** The definition of a method. */
export function aboutMethod(method: string): string {
  const { summary, description } = definitionOf(method);
  return description === undefined ? summary : `${summary} ${description}`;
}
