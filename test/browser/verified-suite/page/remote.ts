// Calls from the page to the process of the tests; synchronous ones take the place of Node's own functions.

/** A value on its way: bytes in base64, or anything that JSON has. */
export type Wire = { bytes: string } | { value?: unknown };
export type WireAnswer = Wire | { error: { message: string; code?: string | undefined } };

/** A function of Node's, by its name, which blocks the page. */
export function callNode<Result>(name: string, ...args: readonly unknown[]): Result {
  const request = new XMLHttpRequest();
  request.open("POST", "/call", false);
  request.send(JSON.stringify({ name, args: args.map(toWire) }));
  return resultOf(JSON.parse(request.responseText));
}

/** A function of the tests, by its name. */
export async function callTests<Result>(name: string, ...args: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ name, args: args.map(toWire) });
  const response = await fetch("/call", { method: "POST", body });
  return resultOf(await response.json());
}

function resultOf<Result>(answer: WireAnswer): Result {
  if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error);
  return fromWire(answer) as Result;
}

export function toWire(value: unknown): Wire {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : { value };
}

export function fromWire(wire: Wire): unknown {
  return "bytes" in wire ? Buffer.from(wire.bytes, "base64") : wire.value;
}
