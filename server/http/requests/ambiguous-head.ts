import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "../../errors.js";

/**
 * Refuses heads that this service and a proxy before it could read differently, so that a body for one of them is a request
 * for the other. Node's parser refuses most such heads; these it accepts.
 */
export class HeadCheck {
  /** Connections with a refused head. The requests that were read behind it may be its body, so none of them is served. */
  readonly #ended = new WeakSet<Socket>();

  isEnded({ socket }: IncomingMessage): boolean {
    return this.#ended.has(socket);
  }

  /** The refusal of a head that is ambiguous; its connection must be closed. */
  refusal(request: IncomingMessage): ServiceError | undefined {
    const refusal = ambiguityOf(request);
    if (refusal) this.#ended.add(request.socket);
    return refusal;
  }
}

/** Why a head is ambiguous; `undefined` if it is not. */
export function ambiguityOf(request: IncomingMessage): ServiceError | undefined {
  const { httpVersion } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return refused(505, "HTTP version must be 1.1 or 1.0");
  return hostRefusal(request) ?? codingRefusal(request);
}

/** RFC 9112, 3.2: one `Host`, which HTTP/1.0 may leave out, with the syntax of RFC 3986. */
function hostRefusal({ httpVersion, headers, rawHeaders }: IncomingMessage): ServiceError | undefined {
  const { host } = headers;
  if (host === undefined) return httpVersion === "1.0" ? undefined : refused(400, "header Host is missing");
  if (hasSeveralHosts(rawHeaders)) return refused(400, "header Host was sent more than once");
  return hostSyntax.test(host) ? undefined : refused(400, "header Host is malformed");
}

const hostSyntax = /^(?:\[[\w.:~%-]*\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i]!)) hosts++;
  return hosts > 1;
}

const isHost = (name: string) => name.length === 4 && name.toLowerCase() === "host";

/**
 * RFC 9112, 6.1: codings that are not known get 501, and a body whose end they leave open 400. Bodies of HTTP/1.0 cannot be
 * chunked.
 */
function codingRefusal({ httpVersion, headers }: IncomingMessage): ServiceError | undefined {
  const sent = headers["transfer-encoding"];
  if (sent === undefined || (httpVersion === "1.1" && sent.toLowerCase() === "chunked")) return undefined;
  const codings = sent.split(",").map((each) => each.trim().toLowerCase());
  const isMalformed =
    httpVersion === "1.0" || codings.indexOf("chunked") !== codings.length - 1 || codings.includes("");
  return isMalformed
    ? refused(400, "header Transfer-Encoding is malformed")
    : refused(501, "only the transfer coding chunked is supported");
}

function refused(status: number, text: string): ServiceError {
  return new ServiceError("invalid-request", text, { status });
}
