import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ServiceError } from "../errors.js";

export type BodyLimits = { maxBytes: number; timeoutMs: number };

/** The whole body as text. Reads no further than the cap and waits no longer than the deadline. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  const bytes = await collect(request, limits);
  if (!isUtf8(bytes)) throw new ServiceError("parse-error");
  return bytes.toString("utf8");
}

function collect(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      request.off("data", take).off("end", end).off("close", cut).off("error", cut);
      // What nobody reads any more must still flow off for the connection to be of use again.
      request.on("error", () => {}).resume();
      outcome();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) settle(() => reject(tooLarge(maxBytes)));
      else chunks.push(chunk);
    };
    const end = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    const cut = () => settle(() => reject(incomplete("request body was cut off")));
    const late = () => settle(() => reject(incomplete(`request body took longer than ${timeoutMs} ms`)));
    const timer = setTimeout(late, timeoutMs);
    request.on("data", take).on("end", end).on("close", cut).on("error", cut);
  });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("too-large", `request is too large: at most ${maxBytes} bytes`, {
    data: { max: maxBytes },
  });
}

function incomplete(text: string): ServiceError {
  return new ServiceError("invalid-request", text, { status: 408 });
}

/** Refuses bodies that are not JSON in UTF-8, or compressed. No content type at all is fine. */
export function checkMediaType({ headers }: IncomingMessage): void {
  if (isEncoded(headers) || !isJson(headers["content-type"] ?? json))
    throw new ServiceError("wrong-media-type");
}

/** v3 calls the same a request it cannot process, and insists on a content type. */
export function checkV3MediaType({ headers }: IncomingMessage): void {
  if (isEncoded(headers) || !isJson(headers["content-type"] ?? "")) {
    throw new ServiceError("wrong-media-type");
  }
}

function isEncoded(headers: IncomingHttpHeaders): boolean {
  return (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
}

const json = "application/json";

/** Parameters other than the charset are ignored. */
function isJson(type: string): boolean {
  if (type === json) return true;
  const [name = "", ...parameters] = type.toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const plain = charset?.slice("charset=".length).replaceAll('"', "") ?? "utf-8";
  return /^application\/([\w.+-]+\+)?json$/.test(name.trim()) && ["utf-8", "utf8"].includes(plain);
}
