import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../errors.js";
import type { Surface } from "../answers/refusal.js";

const maxUrlLength = 8192;
/** v3 takes lists of 1024 addresses in a query, each with an escaped colon and a name such as `address[]`. */
const maxV3UrlLength = 120 * 1024;
/** For all header fields together. */
const maxHeaderBytes = 64 * 1024;
/** The parser's limit for URL and headers; beyond it the path of a request stays unknown. */
export const maxHeadBytes = 192 * 1024;

/** The refusal of a request whose URL or headers are too long. */
export function headRefusal(
  { url, rawHeaders }: IncomingMessage,
  surface: Surface,
): ServiceError | undefined {
  const max = surface === "v3" ? maxV3UrlLength : maxUrlLength;
  if (url!.length > max) {
    return new ServiceError("too-large", `request is too large: at most ${max} bytes of URL`, {
      data: { max },
    });
  }
  let headerBytes = 0;
  for (const text of rawHeaders) headerBytes += text.length + separatorBytes;
  return headerBytes > maxHeaderBytes ? tooLarge("headers are", maxHeaderBytes) : undefined;
}

/** The colon and space after a name, the line end after a value. */
const separatorBytes = 2;

/** The refusal of what the parser does not read. */
export function headTooLarge(): ServiceError {
  return tooLarge("line and headers are", maxHeadBytes);
}

function tooLarge(parts: string, max: number): ServiceError {
  return new ServiceError("too-large", `request ${parts} too large: at most ${max} bytes`, { status: 431 });
}
