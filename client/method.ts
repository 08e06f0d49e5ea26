import type { Caller } from "./caller.js";
import type { Arguments, MethodName, Result } from "./registry-types.js";

/** A method as a standalone function that takes the client as its first argument. */
export type MethodFunction<Name extends MethodName> = (
  client: Pick<Caller, "call">,
  ...args: Arguments<Name>
) => Promise<Result<Name>>;

/** Makes the function of a method. */
export function method<Name extends MethodName>(name: Name): MethodFunction<Name> {
  return (client, ...args) => client.call(name, ...args);
}
