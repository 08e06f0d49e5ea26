import type { CellReader } from "./cell-reader.js";
import { entriesOf, signedKey } from "./dictionary.js";
import * as f from "./fields.js";
import { type Layout, rowsOf, tagged } from "./fields.js";
import { account, count, type Row, table, text, type Value } from "./values.js";

// Layouts of the records in parameters, as `block.tlb` of TON has them.

type Read = (reader: CellReader) => Row[];
const record =
  (layout: Layout): Read =>
  (reader) =>
    rowsOf(layout, reader);

export const burning = tagged([
  "01",
  [
    ["Account whose coins are burnt", f.optional(f.masterchainAccount)],
    ["Burnt part of fees, numerator", f.u32],
    ["Denominator", f.u32],
  ],
]);

export const minting = record([
  ["A new currency", f.grams],
  ["More of a currency", f.grams],
]);

export const complaintPrices = tagged([
  "1a",
  [
    ["Deposit", f.grams],
    ["For a bit", f.grams],
    ["For a cell", f.grams],
  ],
]);

export const blockRewards = tagged([
  "6b",
  [
    ["A masterchain block", f.grams],
    ["A basechain block", f.grams],
  ],
]);

export const electionTimes = record([
  ["A set validates for", f.seconds],
  ["An election begins before its set", f.seconds],
  ["It ends before its set", f.seconds],
  ["Stakes are held for", f.seconds],
]);

export const validatorCounts = record([
  ["Most validators", f.u16],
  ["Most validators of the masterchain", f.u16],
  ["Fewest validators", f.u16],
]);

export const stakeLimits = record([
  ["Smallest stake", f.grams],
  ["Largest stake", f.grams],
  ["Smallest sum of stakes", f.grams],
  ["Most that counts, as a multiple of the smallest stake", f.factor(32)],
]);

const votes = tagged([
  "36",
  [
    ["Fewest rounds", f.u8],
    ["Most rounds", f.u8],
    ["Wins to be accepted", f.u8],
    ["Losses to be dropped", f.u8],
    ["Shortest storage", f.seconds],
    ["Longest storage", f.seconds],
    ["Price of a bit", f.u32],
    ["Price of a cell", f.u32],
  ],
]);
export const voting = tagged([
  "91",
  [
    ["Usual parameters", f.inCell(votes)],
    ["Critical parameters", f.inCell(votes)],
  ],
]);

const gasLimits: Layout = [
  ["Credit for external messages", f.gas],
  ["Limit of a block", f.gas],
  ["Debt that freezes an account", f.nanotons],
  ["Debt that deletes an account", f.nanotons],
];
const plainGas = tagged(
  ["dd", [["Price of gas", f.price], ["Limit of a transaction", f.gas], ...gasLimits]],
  [
    "de",
    [
      ["Price of gas", f.price],
      ["Limit of a transaction", f.gas],
      ["Limit of a special account", f.gas],
      ...gasLimits,
    ],
  ],
);
const flatTag = 0xd1n.toString(2);
export const gasPrices: Read = (reader) => {
  if (!reader.startsWith(flatTag)) return plainGas(reader);
  reader.bits(flatTag.length);
  const flat = rowsOf(
    [
      ["Gas at a flat price", f.gas],
      ["Flat price", f.nanotons],
    ],
    reader,
  );
  return [...flat, ...plainGas(reader)];
};

const threeLimits =
  (unit?: string): f.Read =>
  (reader) => {
    if (reader.number(8) !== 0xc3) throw new TypeError("limits have another tag");
    const [low, soft, hard] = [reader.number(32), reader.number(32), reader.number(32)];
    const said = [low, soft, hard].map((each) => each.toLocaleString("en")).join(" / ");
    return text(unit === undefined ? said : `${said} ${unit}`);
  };
const blockParts: Layout = [
  ["Size: underload / soft / hard", threeLimits("bytes")],
  ["Gas: underload / soft / hard", threeLimits()],
  ["Logical time: underload / soft / hard", threeLimits()],
];
const queueLimits = tagged([
  "d3",
  [
    ["Bytes", f.u32],
    ["Messages", f.u32],
  ],
]);
export const blockLimits = tagged(
  ["5d", blockParts],
  [
    "5e",
    [
      ...blockParts,
      ["Collated data: underload / soft / hard", threeLimits("bytes")],
      ["Imported queue", (reader) => ({ kind: "rows", rows: queueLimits(reader) })],
    ],
  ],
);

export const messagePrices = tagged([
  "ea",
  [
    ["A message", f.nanotons],
    ["A bit", f.price],
    ["A cell", f.price],
    ["Immediate delivery, as a multiple", f.factor(32)],
    ["Part for the first node", f.factor(16)],
    ["Part for each next node", f.factor(16)],
  ],
]);

const lifetimes: Layout = [
  ["Sessions of the masterchain last", f.seconds],
  ["Sessions of shards last", f.seconds],
  ["Validators of a shard stay", f.seconds],
  ["Validators of a shard", f.u32],
];
export const catchain = tagged(
  ["c1", lifetimes],
  ["c2", [["", f.uint(7)], ["Validators of the masterchain are shuffled", f.bool], ...lifetimes]],
);

const consensusLimits: Layout = [
  ["Delay of the next candidate", f.milliseconds],
  ["Timeout", f.milliseconds],
  ["Fast attempts", f.u32],
  ["An attempt lasts", f.seconds],
  ["Most dependencies of a message", f.u32],
  ["Largest block", f.bytes],
  ["Largest collated data", f.bytes],
];
const flagged: Layout = [
  ["", f.uint(7)],
  ["New session ids", f.bool],
  ["Candidates per round", f.u8],
  ...consensusLimits,
];
const version: Layout = [["Version of the protocol", f.u16]];
export const consensus = tagged(
  ["d6", [["Candidates per round", f.u32], ...consensusLimits]],
  ["d7", flagged],
  ["d8", [...flagged, ...version]],
  [
    "d9",
    [
      ["", f.uint(6)],
      ["QUIC", f.bool],
      ["New session ids", f.bool],
      ["Candidates per round", f.u8],
      ...consensusLimits,
      ...version,
      ["Coefficient of most blocks", f.u32],
    ],
  ],
);

const simplex = tagged(
  [
    "21",
    [
      ["", f.uint(7)],
      ["QUIC", f.bool],
      ["Time between blocks", f.milliseconds],
      ["Slots of a leader", f.u32],
      ["First block within", f.milliseconds],
      ["Most windows ahead", f.u32],
    ],
  ],
  [
    "22",
    [
      ["", f.uint(5)],
      ["Version of the protocol", f.uint(2)],
      ["QUIC", f.bool],
      ["Slots of a leader", f.u32],
      [
        "Settings of nodes",
        (reader) =>
          table(
            ["Number", "Value"],
            entriesOf(reader, 8).map(({ key, value }) => [
              count(Number.parseInt(key, 2)),
              count(value.uint(32)),
            ]),
          ),
      ],
    ],
  ],
);
export const newConsensus = tagged([
  "10",
  [
    ["Masterchain", f.optional(f.inCell(simplex))],
    ["Shards", f.optional(f.inCell(simplex))],
  ],
]);

export const punishments = tagged([
  "01",
  [
    ["Flat fine", f.grams],
    ["Proportional fine, in 2^-32 of the stake", f.u32],
    ["Severe: multiple of the flat fine, in 1/256", f.u16],
    ["Severe: multiple of the proportional fine, in 1/256", f.u16],
    ["Shorter intervals are not punished", f.u16],
    ["Long interval from", f.u16],
    ["Long: multiple of the flat fine, in 1/256", f.u16],
    ["Long: multiple of the proportional fine, in 1/256", f.u16],
    ["Medium interval from", f.u16],
    ["Medium: multiple of the flat fine, in 1/256", f.u16],
    ["Medium: multiple of the proportional fine, in 1/256", f.u16],
  ],
]);

const messageSizes: Layout = [
  ["A message has at most", f.bits],
  ["Cells of a message", f.cells],
  ["Cells of a library", f.cells],
  ["Depth of values in the TVM", f.u16],
  ["An external message has at most", f.bytes],
  ["Depth of an external message", f.u16],
];
const stateSizes: Layout = [
  ...messageSizes,
  ["Cells of an account", f.cells],
  ["Cells of a masterchain account", f.cells],
  ["Public libraries of an account", f.u32],
  ["Queue at which messages are deferred", f.u32],
  ["Extra currencies of a message", f.u32],
  ["Fixed prefix of an address", f.uint(8, "bits")],
  ["Cells from which an account has a storage dictionary", f.cells],
];
const libraryLoads: Layout = [["Library loads of a transaction", f.optional(f.u32)]];
/** Bits of the second form as it was at first; the later one has the same tag. */
const earlyBits = 368;
export const sizeLimits: Read = (reader) =>
  tagged(
    ["01", messageSizes],
    ["02", reader.bitsLeft === earlyBits ? stateSizes : [...stateSizes, ...libraryLoads]],
    [
      "03",
      [
        ...stateSizes,
        ...libraryLoads,
        ["Bits of all messages of a transaction", f.bits],
        ["Cells of all messages of a transaction", f.cells],
      ],
    ],
  )(reader);

export const suspended = tagged([
  "00",
  [
    [
      "Accounts",
      (reader) =>
        table(
          ["Account"],
          entriesOf(reader, 288).map(({ key }) => [
            account(`${signedKey(key.slice(0, 32))}:${hexOf(key.slice(32))}`),
          ]),
        ),
    ],
    ["Until", f.time],
  ],
]);

const gasTag = "10110000";
export const precompiled = tagged([
  "c0",
  [
    [
      "Contracts",
      (reader) =>
        table(
          ["Hash of the code", "Gas"],
          entriesOf(reader, 256).map(({ key, value }): Value[] => {
            if (value.bits(8) !== gasTag) throw new TypeError("a contract has another tag");
            return [{ kind: "hash", hex: hexOf(key) }, count(value.uint(64))];
          }),
        ),
    ],
  ],
]);

export const registry = tagged([
  "3601163e",
  [
    ["Contract", f.masterchainAccount],
    ["Most collators of a validator", f.u32],
    ["Hash of the next code", f.optional(f.hash)],
  ],
]);

export const fundamental: Read = (reader) => [
  [
    "Accounts",
    table(
      ["Account"],
      entriesOf(reader, 256).map(({ key }) => [account(`-1:${hexOf(key)}`)]),
    ),
  ],
];

export const currencies: Read = (reader) => [
  [
    "Currencies",
    table(
      ["Number", "Units"],
      entriesOf(reader, 32).map(({ key, value }) => [
        count(Number.parseInt(key, 2)),
        count(value.variable(5)),
      ]),
    ),
  ],
];

export const parameterNumbers: Read = (reader) => [
  [
    "Parameters",
    {
      kind: "params",
      numbers: entriesOf(reader, 32, { isRoot: true })
        .map(({ key }) => signedKey(key))
        .sort((a, b) => a - b),
    },
  ],
];

export function hexOf(bits: string): string {
  return bits.replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16));
}
