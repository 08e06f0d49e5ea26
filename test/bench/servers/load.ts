import autocannon from "autocannon";
import type { Contender } from "../harness.js";
import type { ServerProcess } from "./process.js";

/** A request: a GET, or with a body a POST. */
export type Load = { path: string; body?: object };

/** A few thousand calls over 32 connections; what counts is the server's processor time. */
export function load(server: ServerProcess, { path, body }: Load, calls = 1): Contender {
  const { url, headers } = server.hello;
  return async () => {
    const amount = Math.ceil(4000 / calls);
    const before = await server.cpu();
    const result = await autocannon({
      url: url + path,
      connections: 32,
      amount,
      headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    if (result["2xx"] !== amount) throw new Error(`${amount - result["2xx"]} of ${amount} calls failed`);
    return { units: amount * calls, micros: (await server.cpu()) - before };
  };
}
