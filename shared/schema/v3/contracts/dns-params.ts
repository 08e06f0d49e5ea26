import { type AuctionCursor, decodeAuctionCursor } from "../../../values/auction-cursor.js";
import { Fault, input } from "../../input.js";
import { matching } from "../../patterns.js";
import { readStorableText, storableText } from "../params.js";

const states = ["all", "won", "bidding"] as const;

/** The states of auctions to list. */
export const auctionState = input<string, (typeof states)[number]>(
  { type: "string", enum: states },
  (given) =>
    states.find((state) => state === given) ??
    new Fault("range", () => `state must be one of: ${states.join(", ")}`),
);

/** Examples of cursors; no pattern can describe all of them. */
const cursorPattern = "MDAwMDAwMDAwMDE3MDAwMDAwMDA6MDpB(?:QUJD|MTIz|REVG){21}";

/** A place in the list of auctions; the empty text is its beginning. */
export const auctionCursor = input<string, AuctionCursor | undefined>(
  matching(`(?:${cursorPattern})?`),
  (given) => {
    if (given === "") return undefined;
    const cursor = typeof given === "string" ? decodeAuctionCursor(given) : undefined;
    return cursor ?? new Fault("range", () => "invalid after cursor");
  },
);

/** The name of a domain; the empty text is none. */
export const domainName = input<string, string | undefined>(storableText, (given) => {
  const name = readStorableText(given);
  return name === "" ? undefined : name;
});
