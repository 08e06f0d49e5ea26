import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesToBase64, hexToBytes } from "../../../shared/values/bytes.js";
import { bagOf, hostileBags } from "../../helpers/chain/hostile-bags.js";
import { libraryCell } from "../../helpers/chain/library-cell.js";
import { bocText } from "../../helpers/contracts/contracts.js";

/** Numbers at the ends of the types that parameters, columns and cells have, and five minutes before the last unix time. */
const ends = [0n, 8n, 31n, 32n, 53n, 63n, 64n, 80n, 120n, 255n, 256n, 257n].flatMap((bits) => {
  const end = 1n << bits;
  return [end - 1n, end, -end, -end - 1n];
});
const integers = [...ends, (1n << 32n) - 301n, (1n << 32n) - 300n, 1000n, 1001n, 10n ** 20n, 10n ** 40n];
const fractions = [0.5, -0.1, 1e-7, 1e21, 1e308];

const words = [
  ...["", " ", "\0", "a\0b", "wh_\0", "\ud800", "é", "𝒳", "\u202e", "null", "true", "undefined", "NaN"],
  ...["__proto__", "constructor", "toString", "-", "+", ".", ",", ",,", "[", '{"', "%00", "asc"],
  ...["0x", "0x0", "-0x8000000000000000", "1e3", "1e400", "١", '{"lt":"9223372036854775808"}'],
  ...["'; drop table transactions; --", "1) or (1=1", "\\", "\\x00", "$1", "../../etc/passwd", "\r\nX: y"],
  ...["http://127.0.0.1:1/", "https://a@b:99999/", "a\0.ton", "a.ton", `${"a.".repeat(62)}ton`],
  ...["a".repeat(300), "a,".repeat(1000)],
];

const ids = ["0".repeat(64), "f".repeat(64), "5".repeat(64), "0".repeat(62), "0".repeat(66)];
const addresses = [-129, -128, -1, 0, 1, 127, 128].flatMap((chain) => ids.map((id) => `${chain}:${id}`));
const hashes = ids.flatMap((id) => [id, `0x${id}`, bytesToBase64(hexToBytes(id) ?? new Uint8Array())]);

const deepest = Array.from({ length: 1000 }).reduce<Cell>(
  (below) => beginCell().storeRef(below).endCell(),
  Cell.empty,
);
const ofLibrary = libraryCell(Cell.empty);
const bags = [
  ...hostileBags.map(([, hex]) => bytesToBase64(bagOf(hex))),
  ...[Cell.empty, deepest, ofLibrary, beginCell().storeRef(ofLibrary).endCell()].map(bocText),
];

const structures: readonly unknown[] = [
  ...[null, true, false, [], {}, [null], [[]], [{}], [["a"], ["a"]]],
  ...[{ "": "" }, { length: -1 }, { toString: 1, valueOf: null }, Array.from({ length: 1001 }, () => 0)],
];

/** Values that no parameter or few can take, for each parameter of each method. */
export const hostileValues: readonly unknown[] = [
  ...integers,
  ...integers.map(String),
  ...integers.map((value) => `${value < 0n ? "-" : ""}0x${(value < 0n ? -value : value).toString(16)}`),
  ...fractions,
  ...[...words, ...addresses, ...hashes, ...bags, ...structures],
];

/** A text with a character added, left out or replaced, or the text repeated or written in another way. */
export function damagedText(text: string, random: () => number): string {
  const at = Math.floor(random() * (text.length + 1));
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const variants = [
    `${before}\0${after}`,
    `${before}${after.slice(1)}`,
    `${before}${after.length % 10}${after.slice(1)}`,
    `${text},${text}`,
    `${text}A`,
    ` ${text} `,
    text.toUpperCase(),
  ];
  return variants[Math.floor(random() * variants.length)]!;
}
