import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ServiceError } from "../errors.js";

/** The whole body as text, read no further than the cap. How long it may take is the server's matter. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    // Gone when all is said: what comes above the cap flows off unread, so that the connection stays of use.
    let chunks: Buffer[] | undefined = [];
    let size = 0;
    const fail = (explain: () => ServiceError) => {
      if (chunks) reject(explain());
      chunks = undefined;
    };
    const cut = () => fail(cutOff);
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) fail(() => tooLarge(maxBytes));
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) fail(() => tooLarge(maxBytes));
      chunks?.push(chunk);
    });
    request.on("end", () => {
      const bytes = chunks?.length === 1 ? chunks[0]! : Buffer.concat(chunks ?? []);
      if (isUtf8(bytes)) resolve(bytes.toString("utf8"));
      else reject(new ServiceError("parse-error"));
      chunks = undefined;
    });
    request.on("error", cut).on("close", cut);
  });
}

function cutOff(): ServiceError {
  return new ServiceError("invalid-request", "request body was cut off", { status: 408 });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("too-large", `request is too large: at most ${maxBytes} bytes`, {
    data: { max: maxBytes },
  });
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
