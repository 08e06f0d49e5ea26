import { type Context, run } from "../../../server/cli/run.js";
import { openDatabaseKeys } from "../../../server/process/service/database-keys.js";

/** Runs a command of `tonwire` in this process; returns its exit code and what it printed. */
export async function ranCommand(...args: string[]) {
  const printed: string[] = [];
  const errors: string[] = [];
  const context = {
    env: {},
    version: "1.2.3",
    print: (line: string) => printed.push(line),
    printError: (line: string) => errors.push(line),
    now: () => new Date(),
    openDatabaseKeys,
  } as unknown as Context;
  const code = await run(args, context);
  return { code, printed, errors, json: () => JSON.parse(printed.join("\n")) };
}
