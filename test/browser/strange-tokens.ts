import { Jetton } from "../../server/devnet/story/contracts/jetton.js";
import { NftCollection } from "../../server/devnet/story/contracts/nft.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { bytesKey, Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import { sha256 } from "../../shared/ton/cells/sha256.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { cellRef } from "../../shared/ton/tlb/primitives.js";
import { StateInit } from "../../shared/ton/tlb/state-init.js";
import type { Address } from "../../shared/values/address.js";
import { testAccount } from "../helpers/contracts/contract-chain.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { until } from "../helpers/until.js";

// Tokens whose authors mean harm: names that widen a page or are markup, and pictures that no page should load.

const creator = testAccount(0xd1);
const ton = 1_000_000_000n;

/** Without a gap, so that no line can break in it. */
const longName = "W".repeat(720);
const markupName = `<img src=x onerror="globalThis.scripted=1">\u202e`;

type Content = Readonly<Record<string, string | Uint8Array>>;

/** On-chain content of a token (TEP-64), each value in one chain of cells. */
function contentOf(fields: Content): Cell {
  const entries = Object.entries(fields).map(([name, value]): [Uint8Array, Cell] => [
    new Uint8Array(sha256(name)),
    chain(Buffer.concat([Uint8Array.of(0), Buffer.from(value)])),
  ]);
  const content = beginCell().storeUint(0, 8);
  Dictionary.empty(bytesKey(32), cellRef).update(entries).store(content);
  return content.endCell();
}

function chain(bytes: Uint8Array): Cell {
  const builder = beginCell().storeBytes(bytes.subarray(0, 127));
  if (bytes.length > 127) builder.storeRef(chain(bytes.subarray(127)));
  return builder.endCell();
}

const jettonOf = (fields: Content, admin = creator) => new Jetton(admin, contentOf(fields));

/** Jettons by what is strange about them. */
export function strangeJettons(png: Buffer, svg: string): Record<string, Jetton> {
  const picture = (name: string) => ({ name, symbol: "PIC", image: `https://stranger.example/${name}` });
  const wide = Buffer.from(png);
  // The width that its head claims.
  wide.writeUInt32BE(60_000, 16);
  return {
    long: jettonOf({ name: longName, symbol: longName, description: longName, decimals: "6" }),
    markup: jettonOf({ name: markupName, symbol: markupName, description: markupName, decimals: "300" }),
    blank: jettonOf({ name: " ", symbol: "\u200b" }),
    png: jettonOf(picture("png.png")),
    svg: jettonOf(picture("script.svg")),
    html: jettonOf(picture("page.html")),
    slow: jettonOf(picture("slow.png")),
    broken: jettonOf(picture("broken.png")),
    internal: jettonOf({ ...picture("x"), image: "http://127.0.0.1/png.png" }),
    own: jettonOf({ name: "own", symbol: "PIC", image_data: png }),
    ownSvg: jettonOf({ name: "own", symbol: "PIC", image_data: svg }),
    wide: jettonOf({ name: "wide", symbol: "PIC", image_data: wide }),
    embedded: jettonOf({
      name: "in",
      symbol: "PIC",
      image: `data:image/png;base64,${png.toString("base64")}`,
    }),
    embeddedSvg: jettonOf({
      name: "in",
      symbol: "PIC",
      image: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
    }),
  };
}

export const strangeCollection = new NftCollection(creator, "https://nft.example/strange/");
/** More than a page of the gallery. */
export const itemCount = 30;

/** An account that owns some of each token. */
export const collector = testAccount(0xd2);
export const holders = [collector, ...Array.from({ length: 30 }, (_, place) => testAccount(0x21 + place))];

/** The operator's overrides of the items: some have attributes, a name and a picture. */
export function overridesOfItems(): Record<string, object> {
  const attributes = [
    { trait_type: "Bark", value: "rough" },
    { trait_type: longName, value: longName },
    { trait_type: "Markup", value: markupName },
    { trait_type: "Height", value: 7 },
    { trait_type: "Nested", value: { deep: [1] } },
    null,
  ];
  const first = {
    name: longName,
    description: longName,
    attributes,
    image: "https://stranger.example/png.png",
  };
  return {
    [strangeCollection.address.toRaw()]: { name: longName, description: longName },
    [strangeCollection.item(0n).toRaw()]: first,
    [strangeCollection.item(1n).toRaw()]: {
      name: "Hidden",
      is_scam: true,
      is_nsfw: true,
      attributes: "no list",
    },
  };
}

/** Deploys all of these tokens, and waits until the index knows them. */
export async function deployStrangeTokens(
  service: DevnetService,
  jettons: Readonly<Record<string, Jetton>>,
): Promise<void> {
  const send = (to: Address, init: StateInit | undefined, body: Cell) =>
    service.run("devnet.impersonate", {
      from: creator.toRaw(),
      to: to.toRaw(),
      value: (3n * ton).toString(),
      ...(init && { state_init: base64(encode(StateInit, init)) }),
      body: base64(body),
    });
  const mint = (jetton: Jetton, to: Address, amount: bigint) =>
    jetton.mintBody({ to, amount, tons: ton / 5n, queryId: 1 });
  for (const jetton of Object.values(jettons))
    await send(jetton.address, jetton.init, mint(jetton, collector, 10n ** 12n));
  const { blank, long } = jettons;
  // change_admin#3 query_id:uint64 admin:MsgAddress
  const leave = beginCell().storeUint(3, 32).storeUint(0, 64).storeAddress(undefined).endCell();
  await send(blank!.address, undefined, leave);
  for (const [place, holder] of holders.slice(1).entries())
    await send(long!.address, undefined, mint(long!, holder, BigInt(place + 1) * 1_000_000n));
  for (let first = 0; first < itemCount; first += 15) {
    const items = Array.from({ length: 15 }, (_, place) => ({
      index: BigInt(first + place),
      owner: collector,
      tons: ton / 20n,
    }));
    const init = first === 0 ? strangeCollection.init : undefined;
    await send(strangeCollection.address, init, strangeCollection.mintBody(items, first));
  }
  await untilIndexed(service, await service.mine(4));
  const known = async (method: string, list: string, params: object) =>
    (await service.run<Record<string, unknown[]>>(method, { ...params, limit: 100 }))[list]!.length;
  const masters = Object.values(jettons).map(({ address }) => address.toRaw());
  await until("the strange tokens in the index", async () => {
    const counts = await Promise.all([
      known("v3.jetton.wallets", "jetton_wallets", { jetton_address: [long!.address.toRaw()] }),
      known("v3.jetton.wallets", "jetton_wallets", { owner_address: [collector.toRaw()] }),
      known("v3.jetton.masters", "jetton_masters", { address: masters }),
      known("v3.nft.items", "nft_items", { collection_address: [strangeCollection.address.toRaw()] }),
    ]);
    return counts.join() === [holders.length, masters.length, masters.length, itemCount].join();
  });
}

const base64 = (cell: Cell) => Buffer.from(serializeBoc(cell)).toString("base64");
