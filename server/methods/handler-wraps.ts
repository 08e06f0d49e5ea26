import type { Wrap } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";

/** For `mapHandlers`: replaces every error of a handler by the result of `map`. */
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

/** For `mapHandlers`: while `reason` returns a text, calls throw `unavailable` with it. */
export function refuseWhile(reason: () => string | undefined): Wrap {
  return (run) =>
    (...args) => {
      const text = reason();
      if (text !== undefined) throw new ServiceError("unavailable", text);
      return run(...args);
    };
}
