import { SetupError } from "../../errors.js";

/** Whether another program listens on the port. */
export function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EADDRINUSE";
}

/** Handler for the `catch` of a listener: if the port cannot be opened, throws a `SetupError` that names its flag. */
export function explainPortError(flag: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (!isPortTaken(error) && error.code !== "EACCES") throw error;
    throw new SetupError(`${error.message}; choose another port with ${flag}`);
  };
}
