import { type Agent, request } from "node:http";
import type { Hello } from "./process.js";

/** One call that must succeed; its answer is ignored. */
export function post({ url, headers }: Hello, agent: Agent, method: string, params: object): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const options = { method: "POST", agent, headers: { ...headers, "Content-Type": "application/json" } };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v2/jsonRPC`, options, (answer) => {
      answer.resume();
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
