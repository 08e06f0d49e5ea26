import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { itemAt } from "../../../shared/values/lookups.js";
import { handledLater } from "../../../shared/values/promises.js";
import { ServiceError } from "../../errors.js";

/** A request body being received. */
export type IncomingBody<Content> = {
  /** The whole body. Rejects with `too-large` above the limit. The server's request timeout applies. */
  readonly content: Promise<Content>;
  /** Discards the body: received data is released, further data is ignored. */
  drop(): void;
};

/** Starts to receive the text of a body; other bytes than UTF-8 reject with `parse-error`. */
export function receiveText(request: IncomingMessage, maxBytes: number): IncomingBody<string> {
  return receive(request, maxBytes, (bytes) =>
    isUtf8(bytes) ? bytes.toString("utf8") : new ServiceError("parse-error"),
  );
}

/** Starts to receive the bytes of a body. */
export function receiveBytes(request: IncomingMessage, maxBytes: number): IncomingBody<Buffer> {
  return receive(request, maxBytes, (bytes) => bytes);
}

/** Best called with the request's headers, as most bodies arrive together with them. */
function receive<Content>(
  request: IncomingMessage,
  maxBytes: number,
  read: (bytes: Buffer) => Content | ServiceError,
): IncomingBody<Content> {
  // Undefined once settled: data above the limit is read and ignored, so that the connection stays usable.
  let chunks: Buffer[] | undefined = [];
  const content = new Promise<Content>((resolve, reject) => {
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
      const bytes = chunks?.length === 1 ? itemAt(chunks, 0) : Buffer.concat(chunks ?? []);
      const given = read(bytes);
      if (given instanceof ServiceError) reject(given);
      else resolve(given);
      chunks = undefined;
    });
    request.on("error", cut).on("close", cut);
  });
  // A refused request is answered without its body.
  handledLater(content);
  return {
    content,
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

/**
 * Refuses bodies that are compressed or declare a charset other than UTF-8. Any content type is accepted: `curl -d` and
 * `fetch` with a string send JSON under another one.
 */
export function checkMediaType({ headers }: IncomingMessage): void {
  const type = headers["content-type"] ?? json;
  if (isEncoded(headers) || (type !== json && !isUtf8Type(type))) throw new ServiceError("wrong-media-type");
}

/** As `checkMediaType`, but v3 requires a content type that ends with `json`. */
export function checkV3MediaType(request: IncomingMessage): void {
  checkMediaType(request);
  if (!hasJsonType(request)) throw new ServiceError("wrong-media-type");
}

/** Whether the content type is `application/json`, `text/json`, `application/vnd.api+json` or the like. */
function hasJsonType({ headers }: IncomingMessage): boolean {
  const type = headers["content-type"] ?? "";
  return type === json || itemAt(type.split(";", 1), 0).trimEnd().toLowerCase().endsWith("json");
}

function isEncoded(headers: IncomingHttpHeaders): boolean {
  return (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
}

const json = "application/json";

/** Whether a content type declares UTF-8, or no charset. */
function isUtf8Type(type: string): boolean {
  const parameters = type.toLowerCase().split(";").slice(1);
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const name = charset?.slice("charset=".length).replaceAll('"', "") ?? "utf-8";
  return name === "utf-8" || name === "utf8";
}
