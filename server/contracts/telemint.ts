import { readSnake } from "../../shared/ton/cells/snake.js";
import { Answer, type GetMethods, ifSuch, UnexpectedAnswer } from "../../shared/ton/contracts/get-method.js";
import type { Address } from "../../shared/values/address.js";
import { utf8Text } from "../../shared/values/utf8.js";

/** A name or a number of Telegram, which sells itself. Amounts are nanotons, times unix seconds. */
type TelemintItem = {
  tokenName: string;
  state: AuctionState;
  config: AuctionConfig;
  royalty: { numerator: bigint; denominator: bigint; destination: Address };
};

/** The bid is 0 if there is no bidder; all is 0 if there is no auction. */
type AuctionState = {
  bidder: Address | undefined;
  bid: bigint;
  bidTime: bigint;
  minBid: bigint;
  endTime: bigint;
};

type AuctionConfig = {
  /** Gets the last bid. `undefined` if there is no auction. */
  beneficiary: Address | undefined;
  initialMinBid: bigint;
  maxBid: bigint;
  minBidStep: bigint;
  minExtendTime: bigint;
  duration: bigint;
};

const noAuction: AuctionState = { bidder: undefined, bid: 0n, bidTime: 0n, minBid: 0n, endTime: 0n };
const maxNameBytes = 8192;

/** Reads an item by its four get-methods. Throws UnexpectedAnswer or a CellError if it is none. */
export async function readTelemintItem(methods: GetMethods, address: Address): Promise<TelemintItem> {
  return {
    tokenName: await readTokenName(methods, address),
    config: await readConfig(methods, address),
    royalty: await readRoyalty(methods, address),
    state: (await ifSuch(readState(methods, address))) ?? noAuction,
  };
}

/** `slice get_telemint_token_name()` */
async function readTokenName(methods: GetMethods, address: Address): Promise<string> {
  const answer = await Answer.of(methods, address, "get_telemint_token_name");
  const name = utf8Text(readSnake(answer.slice(0).parse(), maxNameBytes));
  if (name === undefined) throw new UnexpectedAnswer("the name of the token is no text");
  return name;
}

/** `(slice, int, int, int, int) get_telemint_auction_state()`, which fails without an auction. */
async function readState(methods: GetMethods, address: Address): Promise<AuctionState> {
  const state = await Answer.of(methods, address, "get_telemint_auction_state");
  return {
    bidder: addressOrNull(state, 0),
    bid: state.int(1),
    bidTime: state.number(2),
    minBid: state.int(3),
    endTime: state.number(4),
  };
}

/** `(slice, int, int, int, int, int) get_telemint_auction_config()` */
async function readConfig(methods: GetMethods, address: Address): Promise<AuctionConfig> {
  const config = await Answer.of(methods, address, "get_telemint_auction_config");
  return {
    beneficiary: addressOrNull(config, 0),
    initialMinBid: config.int(1),
    maxBid: config.int(2),
    minBidStep: config.number(3),
    minExtendTime: config.number(4),
    duration: config.number(5),
  };
}

/** `(int, int, slice) royalty_params()` (TEP-66) */
async function readRoyalty(methods: GetMethods, address: Address): Promise<TelemintItem["royalty"]> {
  const royalty = await Answer.of(methods, address, "royalty_params");
  return {
    numerator: royalty.number(0),
    denominator: royalty.number(1),
    destination: royalty.address(2),
  };
}

/** These contracts return null for no address, never addr_none. */
function addressOrNull(answer: Answer, index: number): Address | undefined {
  return answer.isNull(index) ? undefined : answer.address(index);
}
