import { type Content, html } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { timeOf } from "../parts/time.js";
import type { ViewContext } from "../view.js";
import { valuesOf } from "./method-values.js";
import { bidOf } from "./sale.js";
import { addressIn, numberIn } from "./stack-values.js";

/** A domain that is not renewed for this time can be released: 366 days. */
const termSec = 366n * 86_400n;
/** The largest time that pages can show. */
const maxTime = 8_640_000_000_000n;

/** Auction and end of a domain that is an item of TON DNS; names of other zones have no such facts. */
export async function readDomainFacts(
  context: ViewContext,
  item: string,
): Promise<readonly (readonly [string, Content])[]> {
  const [auction, renewal] = await Promise.all([
    valuesOf(context, item, "get_auction_info"),
    valuesOf(context, item, "get_last_fill_up_time"),
  ]);
  const [bidder, bid, endsAt] = auction ?? [];
  const end = timeIn(numberIn(endsAt));
  const renewed = numberIn(renewal?.[0]);
  const expires = timeIn(renewed === undefined ? undefined : renewed + termSec);
  const bidderAddress = addressIn(bidder);
  return [
    [
      "Highest bid",
      end !== undefined &&
        bidOf(
          numberIn(bid)?.toString(),
          bidderAddress !== undefined && addressLink(bidderAddress, { names: context.names }),
        ),
    ],
    ["Auction ends", end !== undefined && html`${timeOf(end)}`],
    // A name in auction has no owner, so it does not expire.
    [
      "Expires",
      end === undefined &&
        expires !== undefined &&
        html`${timeOf(expires)} <span class="aside">unless it is renewed</span>`,
    ],
  ];
}

function timeIn(unix: bigint | undefined): number | undefined {
  return unix !== undefined && unix > 0n && unix < maxTime ? Number(unix) : undefined;
}
