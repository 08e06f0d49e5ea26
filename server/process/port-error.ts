import { SetupError } from "../errors.js";

/** For the `catch` of a listener: says of a port that cannot be had with which flag another one is named. */
export function refusePort(flag: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    throw new SetupError(`${error.message}; name another port with ${flag}`);
  };
}
