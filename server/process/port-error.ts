import { SetupError } from "../errors.js";

/** Handler for the `catch` of a listener: if the port cannot be opened, throws a `SetupError` that names its flag. */
export function explainPortError(flag: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    throw new SetupError(`${error.message}; choose another port with ${flag}`);
  };
}
