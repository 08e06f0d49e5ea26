// Reads and checks the requests of pages.
import { bytes, cell, type Fields, fields, json, list, quoted, text } from "./fields.js";
import { badRequest, Refusal } from "./refusal.js";
import type { SignedData } from "./signatures.js";
import { type Limits, limits, onlyParameter } from "./transfer.js";

const methods = ["sendTransaction", "signMessage", "signData", "disconnect"] as const;
/** A request of a connected page. */
export type Request = {
  readonly id: string;
  readonly method: (typeof methods)[number];
  readonly params: unknown;
};

/** The id for the answer to this request. */
export function idOf(request: unknown): string {
  const id = typeof request === "object" && request !== null && "id" in request ? request.id : "";
  return String(id).slice(0, 40);
}

export function readRequest(value: unknown): Request {
  const { method, params, id } = fields(value, "the request");
  if (!/^\d{1,20}$/.test(text(id, "id", 20))) throw badRequest(`id is not a decimal number: ${quoted(id)}`);
  const known = methods.find((each) => each === method);
  if (!known) throw new Refusal("notSupported", `the method ${quoted(method)} is not supported`);
  return { id: id as string, method: known, params };
}

/** Something that a page wants to know when it connects. */
export type Item =
  | { readonly name: "ton_addr"; readonly network: string | undefined }
  | { readonly name: "ton_proof"; readonly payload: string }
  | { readonly name: "unknown"; readonly asked: string };

const maxItems = 20;
/** As apps and wallets agreed on. */
const maxProofBytes = 128;

export function readConnect(version: unknown, value: unknown): readonly Item[] {
  if (version !== 2) throw badRequest(`the protocol version is not 2: ${quoted(version)}`);
  const { manifestUrl, items } = fields(value, "the request");
  if (!isWebUrl(text(manifestUrl, "manifestUrl", 2048)))
    throw badRequest(`manifestUrl is not a URL: ${quoted(manifestUrl)}`);
  return list(items, "items", maxItems).map((each, index) => readItem(fields(each, `items[${index}]`)));
}

function readItem({ name, network, payload }: Fields): Item {
  switch (name) {
    case "ton_addr":
      return { name, network: network === undefined ? undefined : text(network, "network", 20) };
    case "ton_proof": {
      const proven = text(payload, "the payload of ton_proof", maxProofBytes);
      if (Buffer.byteLength(proven) > maxProofBytes)
        throw badRequest(`the payload of ton_proof has more than ${maxProofBytes} bytes`);
      return { name, payload: proven };
    }
    default:
      return { name: "unknown", asked: text(name, "the name of an item", 64) };
  }
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** A request to sign data; `payload` is the request as it came, which answers repeat. */
export type DataRequest = Limits & { readonly data: SignedData; readonly payload: Fields };

export function readData(params: unknown): DataRequest {
  const payload = fields(json(onlyParameter(params), "the request"), "the request");
  return { ...limits(payload), data: readSignedData(payload), payload };
}

function readSignedData(payload: Fields): SignedData {
  switch (payload["type"]) {
    case "text":
      return { type: "text", text: text(payload["text"], "text") };
    case "binary":
      return { type: "binary", bytes: bytes(payload["bytes"], "bytes") };
    case "cell":
      return { type: "cell", schema: text(payload["schema"], "schema"), cell: cell(payload["cell"], "cell") };
    default:
      throw badRequest(`type is not text, binary or cell: ${quoted(payload["type"])}`);
  }
}
