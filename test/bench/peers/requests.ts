import { Agent, request } from "node:http";
import type { Contender } from "../harness.js";
import type { Server } from "./server.js";

const inFlight = 16;
const floodMs = 1000;
const agent = new Agent({ keepAlive: true, maxSockets: inFlight });

/** A path to GET, or one to which a body is posted. */
export type Question = { path: string; body?: object };

/** The answer's JSON document. Throws if the status is not 200, or if the answer is an error. */
export function ask(server: Server, { path, body }: Question): Promise<unknown> {
  const headers = { ...server.headers, ...(body && { "Content-Type": "application/json" }) };
  return new Promise((resolve, reject) => {
    const method = body ? "POST" : "GET";
    const sent = request(server.origin + path, { method, agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode !== 200) return reject(refusal(server, path, text));
        const value = JSON.parse(text) as { ok?: boolean };
        return value.ok === false ? reject(refusal(server, path, text)) : resolve(value);
      });
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** A method of v2 and its parameters, by JSON-RPC. */
export function v2Question({ v2 }: Server, method: string, params: object): Question {
  return { path: `${v2}/jsonRPC`, body: { jsonrpc: "2.0", id: 1, method, params } };
}

export async function callV2(server: Server, method: string, params: object): Promise<unknown> {
  return ((await ask(server, v2Question(server, method, params))) as { result: unknown }).result;
}

/** `number` was never given before. */
export type Asker = (number: number, server: Server) => Question;

/** Sends questions for a second, sixteen at a time. */
export function flood(server: Server, clock: () => number, question: Asker): Contender {
  return async () => {
    const end = performance.now() + floodMs;
    const before = clock();
    let units = 0;
    const askOn = async () => {
      for (; performance.now() < end; units++) await ask(server, question(nextNumber++, server));
    };
    await Promise.all(Array.from({ length: inFlight }, askOn));
    return { units, micros: clock() - before };
  };
}

/** Different in each run of the bench, so that a server that keeps running has not seen the questions. */
let nextNumber = Date.now() % 1_000_000_000;

function refusal({ origin }: Server, path: string, text: string): Error {
  return new Error(`${origin}${path} is refused: ${text.slice(0, 300)}`);
}
