import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ServiceError } from "../errors.js";

/** A body on its way in. */
export type IncomingBody = {
  /** All of it, read no further than the cap. How long it may take is the server's matter. */
  readonly text: Promise<string>;
  /** Nobody wants it: what came is let go of, and what comes flows off unread. */
  drop(): void;
};

/** Takes what arrives from now on; to begin with the head is cheapest, as most bodies arrive together with it. */
export function receiveBody(request: IncomingMessage, maxBytes: number): IncomingBody {
  // Gone when all is said: what comes above the cap flows off unread, so that the connection stays of use.
  let chunks: Buffer[] | undefined = [];
  const text = new Promise<string>((resolve, reject) => {
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
  // Whoever drops it does not look at what became of it.
  text.catch(() => {});
  return {
    text,
    drop() {
      chunks = undefined;
    },
  };
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
