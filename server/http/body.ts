import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ServiceError } from "../errors.js";

/** A request body being received. */
export type IncomingBody = {
  /** The whole body. Rejects with `too-large` above the limit. The server's request timeout applies. */
  readonly text: Promise<string>;
  /** Discards the body: received data is released, further data is ignored. */
  drop(): void;
};

/** Starts to receive the body. Best called with the request's headers, as most bodies arrive together with them. */
export function receiveBody(request: IncomingMessage, maxBytes: number): IncomingBody {
  // Undefined once settled: data above the limit is read and ignored, so that the connection stays usable.
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
  // Avoids an unhandled rejection for dropped bodies.
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

/** Refuses compressed bodies and bodies that are not JSON in UTF-8. A missing content type is accepted. */
export function checkMediaType({ headers }: IncomingMessage): void {
  if (isEncoded(headers) || !isJson(headers["content-type"] ?? json))
    throw new ServiceError("wrong-media-type");
}

/** As `checkMediaType`, but v3 requires a content type. */
export function checkV3MediaType({ headers }: IncomingMessage): void {
  if (isEncoded(headers) || !isJson(headers["content-type"] ?? "")) {
    throw new ServiceError("wrong-media-type");
  }
}

function isEncoded(headers: IncomingHttpHeaders): boolean {
  return (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
}

const json = "application/json";

/** Whether a media type is JSON in UTF-8. Parameters other than `charset` are ignored. */
function isJson(type: string): boolean {
  if (type === json) return true;
  const [name = "", ...parameters] = type.toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const plain = charset?.slice("charset=".length).replaceAll('"', "") ?? "utf-8";
  return /^application\/([\w.+-]+\+)?json$/.test(name.trim()) && ["utf-8", "utf8"].includes(plain);
}
