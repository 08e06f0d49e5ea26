import { bytesToHex } from "../../../../shared/values/bytes.js";
import { hashCell } from "../parts/cells.js";
import type { CellReader } from "./cell-reader.js";
import { entriesOf, signedKey } from "./dictionary.js";
import * as f from "./fields.js";
import { type Layout, rowsOf, tagged } from "./fields.js";
import { hexOf } from "./layouts.js";
import { count, type Row, table, text, type Value } from "./values.js";

// Parameters whose records are longer: workchains, storage prices, validators and the version of the network.

/** Names of the bits of a network's capabilities, from the lowest. */
const capabilities = [
  "instant hypercube routing",
  "statistics of block makers",
  "bounces with a part of the body",
  "version in blocks",
  "transactions of splits and merges",
  "short removal from queues",
  "sizes of queues",
  "metadata of messages",
  "deferred messages",
  "full collated data",
];

export const networkVersion = (reader: CellReader): Row[] => {
  const [version] = tagged(["c4", [["Version", f.u32]]])(reader);
  const set = reader.uint(64);
  const names = Array.from({ length: 64 }, (_, bit) => ((set >> BigInt(bit)) & 1n) === 1n && bit)
    .filter((bit) => bit !== false)
    .map((bit) => capabilities[bit] ?? `bit ${bit}`);
  return [version!, ["Capabilities", text(names.join(", ") || "none")]];
};

const workchain: Layout = [
  ["Enabled since", f.time],
  ["Shards that nodes follow: 2 to the power of", f.u8],
  ["Fewest shards: 2 to the power of", f.u8],
  ["Most shards: 2 to the power of", f.u8],
  ["Basic format", f.bool],
  ["Active", f.bool],
  ["Accepts messages", f.bool],
  ["", f.uint(13)],
  ["Root hash of the zero state", f.hash],
  ["File hash of the zero state", f.hash],
  ["Version", f.u32],
  [
    "Format",
    (reader) => {
      const rows = tagged(
        [
          "1",
          [
            ["Version of the TVM", f.i32],
            ["Mode of the TVM", f.uint(64)],
          ],
        ],
        [
          "0",
          [
            ["Shortest address", f.uint(12, "bits")],
            ["Longest address", f.uint(12, "bits")],
            ["Step", f.uint(12, "bits")],
            ["Type", f.u32],
          ],
        ],
      )(reader);
      return { kind: "rows", rows };
    },
  ],
];
const timings: Layout = [
  ["Delay of a split or merge", f.seconds],
  ["It takes", f.seconds],
  ["At least", f.seconds],
  ["Delay at most", f.seconds],
];
const descriptor = tagged(
  ["a6", workchain],
  [
    "a7",
    [
      ...workchain,
      ["Splits and merges", (reader) => ({ kind: "rows", rows: tagged(["0", timings])(reader) })],
      ["Parts of a persistent state: 2 to the power of", f.u8],
    ],
  ],
);

export const workchains = (reader: CellReader): Row[] =>
  entriesOf(reader, 32).map(({ key, value }) => [
    `Workchain ${signedKey(key)}`,
    { kind: "rows", rows: descriptor(value) },
  ]);

const storage: Layout = [
  ["Since", f.time],
  ["A bit in the basechain", f.uint(64)],
  ["A cell in the basechain", f.uint(64)],
  ["A bit in the masterchain", f.uint(64)],
  ["A cell in the masterchain", f.uint(64)],
];

/** Prices of storage for 65,536 seconds, in nanotons; later ones replace earlier ones. */
export const storagePrices = (reader: CellReader): Row[] => {
  const lines = entriesOf(reader, 32, { isRoot: true }).map(({ value }): Value[] => {
    if (value.number(8) !== 0xcc) throw new TypeError("prices have another tag");
    return rowsOf(storage, value).map(([, each]) => each);
  });
  const heads = storage.map(([label]) => label);
  return [["Nanotons for 65,536 seconds", table(heads, lines)]];
};

const keyTag = "8e81278a";

/** A set of validators in the order of their places. */
export const validatorSet = (reader: CellReader): Row[] => {
  const isExtended = reader.startsWith("00010010");
  const rows = tagged(["11", setHead], ["12", [...setHead, ["Weight of all", f.uint(64)]]])(reader);
  const lines = entriesOf(reader, 16, { isRoot: !isExtended }).map(({ key, value }): Value[] => {
    const tag = value.hex(1);
    if (tag !== "53" && tag !== "73") throw new TypeError("a validator has an unknown tag");
    if (value.hex(4) !== keyTag) throw new TypeError("a key has an unknown tag");
    const publicKey: Value = { kind: "hash", hex: value.hex(32) };
    const weight = count(value.uint(64));
    const adnl: Value = tag === "73" ? { kind: "hash", hex: value.hex(32) } : text("its key");
    return [count(Number.parseInt(key, 2)), publicKey, weight, adnl];
  });
  return [...rows, ["Validators", table(["Place", "Public key", "Weight", "ADNL address"], lines)]];
};

const setHead: Layout = [
  ["Since", f.time],
  ["Until", f.time],
  ["Number of validators", f.u16],
  ["In the masterchain", f.u16],
];

/** Code, which is the whole value. */
export const codeOf = (reader: CellReader): Row[] => {
  const hashed = hashCell(reader.whole());
  if (!hashed) throw new TypeError("the code contains a proof");
  return [["Hash of the code", { kind: "hash", hex: bytesToHex(hashed.hash) }]];
};

export const networkId = (reader: CellReader): Row[] => [["Number", count(reader.int(32))]];
export const accountOf = (reader: CellReader): Row[] => [
  ["Account", { kind: "account", address: `-1:${hexOf(reader.bits(256))}` }],
];
