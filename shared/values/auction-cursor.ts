import { Address } from "./address.js";
import { base64ToBytes, bytesToBase64Url, bytesToCharacters } from "./bytes.js";

/** A position in the list of domain auctions: the auction after which a page begins. */
export type AuctionCursor = { endTime: bigint; item: Address };

const maxTime = 2n ** 63n - 1n;

/** The cursor as text: base64url of `<end time as 20 digits>:<raw address>`, TON Center's format. */
export function encodeAuctionCursor({ endTime, item }: AuctionCursor): string {
  const text = `${String(endTime).padStart(20, "0")}:${item.toRawUpper()}`;
  // ASCII only.
  return bytesToBase64Url(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

/** `undefined` for text that `encodeAuctionCursor` does not produce. */
export function decodeAuctionCursor(text: string): AuctionCursor | undefined {
  const decoded = bytesToCharacters(base64ToBytes(text.slice(0, 200)) ?? new Uint8Array(0));
  const [, time, raw] = /^(\d{20}):(.+)$/.exec(decoded) ?? [];
  const item = raw === undefined ? undefined : Address.read(raw)?.address;
  if (time === undefined || !item || BigInt(time) > maxTime) return undefined;
  const cursor = { endTime: BigInt(time), item };
  return encodeAuctionCursor(cursor) === text ? cursor : undefined;
}
