import { jsonBody } from "../services/proxied-service.js";

/** Asks a service; `call` is another number each time. */
export type Ask = (call: number) => Promise<Response>;

/** 95th percentile of the time that calls take, one after the other, in microseconds. */
export async function p95(ask: Ask, count: number, beforeEach: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    await beforeEach();
    const start = performance.now();
    const response = await ask(call);
    await response.text();
    if (response.status !== 200) throw new Error(`the other caller is answered with ${response.status}`);
    times.push(1000 * (performance.now() - start));
  }
  return times.sort((a, b) => a - b)[Math.floor(0.95 * count)]!;
}

let argument = 0;

/** Runs a get-method with an argument that makes the call another one each time, so that no answer is cached. */
export function runUncached(
  url: string,
  address: string,
  method: string,
  caller: Readonly<Record<string, string>>,
): Promise<Response> {
  const body = JSON.stringify({ address, method, stack: [["num", `${++argument}`]] });
  return fetch(`${url}/api/v2/runGetMethod`, { method: "POST", body, headers: { ...jsonBody, ...caller } });
}

/** Emulates a message, with an option that makes the call another one each time. */
export function emulateUncached(
  url: string,
  boc: string,
  caller: Readonly<Record<string, string>>,
): Promise<Response> {
  const body = JSON.stringify({ boc, supported_action_types: [`v${++argument}`] });
  const headers = { ...jsonBody, ...caller };
  return fetch(`${url}/api/emulate/v1/emulateTrace`, { method: "POST", body, headers });
}

/** The header by which the proxy before a service names the address of a caller. */
export const addressOf = (number: number) => ({ "X-Forwarded-For": `10.0.${number}.1` });
