import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import { cancel, type Matcher } from "../matcher.js";
import { anyBlock, call, made, transfer } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonBurnKind, jettonMintKind } from "./jettons.js";
import {
  burnEvent,
  keyGenerationEvent,
  type MintEvent,
  mintEvent,
  type NewKeyEvent,
  newKeyEvent,
  readBurnEvent,
  readKeyGenerationEvent,
  readMintEvent,
  readNewKeyEvent,
} from "./tgbtc-events.js";

const mintRequest = 0x3f781d24;
const mintVerified = 0xe42a879b;
const burnNotification = 0x7bdd97de;
const oldBurnNotification = 0x587643a2;
const newKey = 0x690f357a;

/** The contract that pays on Bitcoin. */
const pegout = call(0xbe44e7a6).followedBy([call(0x1a84c0e0).optional(), transfer().optional()]);

type Mint = MintEvent & {
  readonly source: AddressText | undefined;
  readonly teleport: AddressText;
  readonly receiverWallet: AddressText | undefined;
  readonly asset: AddressText;
};

export const tgbtcMintKind = new BlockKind("tgbtc_mint", {
  type: "tgbtc_mint",
  row: ({ source, teleport, recipient, receiverWallet, asset, amount, txid }: Mint) => ({
    source,
    source_secondary: teleport,
    destination: recipient,
    destination_secondary: receiverWallet,
    asset,
    amount,
    extra: { btc_txid: txid },
  }),
});

/** How many blocks may lie between the request and the mint: verifying a Bitcoin transaction takes many messages. */
const longestWay = 20;

export const tgbtcMint: Matcher = {
  name: "tgbtc mint",
  pattern: call(mintVerified).followedBy([mintEvent.as("event"), made(jettonMintKind).as("minted")]),
  build: (match) => {
    const way = wayTo(match.anchor);
    const request = way.at(-1);
    if (request?.opcode !== mintRequest) return cancel("what led to it is not a request to mint");
    const event = match.get("event");
    const { receiverWallet, asset } = jettonMintKind.of(match.get("minted"))!;
    const mint: Mint = {
      ...readMintEvent(event),
      source: request.source,
      teleport: event.account,
      receiverWallet,
      asset,
    };
    return tgbtcMintKind.build(mint, { from: [...match.taken, ...way] });
  },
};

/** The blocks before one, back to the request or as far as is looked. */
function wayTo(block: Block): Block[] {
  const way: Block[] = [];
  let before = block.previous;
  while (before?.previous && way.length < longestWay) {
    way.push(before);
    if (before.opcode === mintRequest) break;
    before = before.previous;
  }
  return way;
}

type Burn = {
  readonly owner: AddressText;
  readonly wallet: AddressText;
  readonly pegout: AddressText | undefined;
  readonly asset: AddressText;
  readonly amount: bigint;
};

export const tgbtcBurnKind = new BlockKind("tgbtc_burn", {
  type: "tgbtc_burn",
  row: ({ owner, wallet, pegout, asset, amount }: Burn) => ({
    source: owner,
    source_secondary: wallet,
    destination: pegout,
    asset,
    amount,
  }),
});

/** A burn that the master tells the coordinator, in a notification like that of the wallet. */
export const tgbtcBurn: Matcher = {
  name: "tgbtc burn",
  pattern: made(jettonBurnKind).followedBy(
    call(burnNotification, oldBurnNotification).followedBy([burnEvent.as("event"), pegout.optional()]),
  ),
  build: (match) => {
    const { owner, wallet, asset, amount: burned } = jettonBurnKind.of(match.anchor)!;
    const { amount: told, pegout } = readBurnEvent(match.get("event"));
    const amount = burned === 0n || told < burned ? told : burned;
    return tgbtcBurnKind.build({ owner, wallet, pegout, asset, amount });
  },
};

type NewKey = NewKeyEvent & {
  readonly teleport: AddressText;
  readonly coordinator: AddressText | undefined;
  readonly timestamp: bigint;
};

export const tgbtcNewKeyKind = new BlockKind("tgbtc_new_key", {
  type: "tgbtc_new_key",
  row: ({ teleport, coordinator, pegout, amount, timestamp, pubkey }: NewKey) => ({
    source: teleport,
    destination: coordinator,
    destination_secondary: pegout,
    amount,
    value: timestamp,
    extra: { pubkey },
  }),
});

/** A key that the signers made, and the move of all bitcoins to it. */
export const tgbtcNewKey: Matcher = {
  name: "tgbtc new key",
  pattern: call(newKey)
    .precededBy(anyBlock().followedBy(keyGenerationEvent.as("generated")))
    .followedBy([newKeyEvent.as("event"), pegout.optional()]),
  build: (match) => {
    const generated = match.get("generated");
    return tgbtcNewKeyKind.build({
      ...readNewKeyEvent(match.get("event")),
      teleport: generated.account,
      coordinator: match.anchor.destination,
      timestamp: readKeyGenerationEvent(generated).timestamp,
    });
  },
};
