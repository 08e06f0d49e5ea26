import type { FetchedMetadata } from "../store/queries/tokens/metadata.js";
import { readDocument } from "./document.js";
import { FetchError } from "./fetch-error.js";

const embeddedLink = /^data:application\/json(?:;charset=utf-8)?(;base64)?,/i;
/** Answers contain many tokens, and each document is read for each answer. */
const maxLength = 64 * 1024;

type EmbeddedMetadata = ({ readonly valid: true } & FetchedMetadata) | { readonly valid: false };

/** Whether a token's link contains its metadata instead of their place. */
export const isEmbedded = (link: unknown): link is string =>
  typeof link === "string" && embeddedLink.test(link);

/** The metadata in a token's link; `undefined` for the link of a place. */
export function embeddedMetadata(link: unknown): EmbeddedMetadata | undefined {
  if (!isEmbedded(link)) return undefined;
  const [head = "", isBase64] = embeddedLink.exec(link) ?? [];
  const data = link.slice(head.length);
  try {
    if (data.length > maxLength) throw new FetchError("content");
    const text = decodeURIComponent(data);
    return { valid: true, ...readDocument(Buffer.from(text, isBase64 ? "base64" : "utf8")) };
  } catch (error) {
    if (error instanceof FetchError || error instanceof URIError) return { valid: false };
    throw error;
  }
}
