import type { Wrap } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";

/** For `mapHandlers`: `map` turns whatever a handler throws into what is thrown instead. */
export function mapErrors(map: (error: unknown) => unknown): Wrap {
  return (run) =>
    async (...args) => {
      try {
        return await run(...args);
      } catch (error) {
        throw map(error);
      }
    };
}

/** For `mapHandlers`: calls fail with `unavailable` while there is a reason, which callers read. */
export function refuseWhile(reason: () => string | undefined): Wrap {
  return (run) =>
    (...args) => {
      const text = reason();
      if (text !== undefined) throw new ServiceError("unavailable", text);
      return run(...args);
    };
}
