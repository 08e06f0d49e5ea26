import type { FlatDefinitions, Handlers } from "../../shared/methods/define.js";

/** Handlers whose failures pass through `explain`, which gives what is thrown instead. */
export function mapHandlerErrors<Group extends FlatDefinitions, Deps>(
  handlers: Handlers<Group, Deps>,
  explain: (error: unknown) => unknown,
): Handlers<Group, Deps> {
  const explaining = Object.entries<Handlers<FlatDefinitions, Deps>[string]>(handlers).map(
    ([name, handle]) => [
      name,
      async (...args: Parameters<typeof handle>) => {
        try {
          return await handle(...args);
        } catch (error) {
          throw explain(error);
        }
      },
    ],
  );
  // The same names with functions of the same types, which the compiler cannot see through the entries.
  return Object.fromEntries(explaining) as unknown as Handlers<Group, Deps>;
}
