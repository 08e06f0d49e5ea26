import type { Caller } from "../caller.js";
import { RpcError } from "../errors.js";
import { stack } from "../values/stack.js";
import { endOf, meanwhile, type PollOptions, poll } from "./poll.js";

const noSuchMethod = 11;

/**
 * Waits until the wallet's seqno is at least `seqno`, and returns the current one. Rejects with code `invalid-params`
 * if the account has no get-method `seqno`.
 */
export function waitForSeqno(
  client: Caller,
  address: string,
  seqno: number,
  options: PollOptions = {},
): Promise<number> {
  const end = endOf(options);
  const ask = async () => {
    const params = { address, method: "seqno", stack: [] };
    const answer = await client.call("runGetMethod" as string, params, meanwhile(options, end));
    const { exit_code: exitCode, stack: items } = answer as { exit_code: number; stack: unknown[] };
    if (exitCode === noSuchMethod) {
      throw new RpcError("invalid-params", `account ${address} is not a wallet`, { exitCode, body: answer });
    }
    // The seqno of a wallet that is not deployed yet is 0.
    const [current] = exitCode === 0 ? stack.decode(items) : [0n];
    return typeof current === "bigint" && current >= seqno ? Number(current) : undefined;
  };
  return poll(`seqno ${seqno} of ${address}`, ask, options, end);
}
