import type { Cell } from "../../../shared/ton/cells/cell.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { sized } from "../../helpers/effort.js";

// Instructions of the TVM that take much time for their gas, each with arguments that it accepts.

const g1 = "97F1D3A73197D7942695638C4FA9AC0FC3688C4F9774B905A14E3A3F171BAC586C55E83FF97A1AEFFB3AF00ADB22C6BB";
const g2 =
  "93E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E" +
  "024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8";
const order = "0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000000";
/** A point's x on secp256k1, and the base point of edwards25519 as a key. */
const secp256k1 = "0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798";
const ed25519 = "0x5866666666666666666666666666666666666666666666666666666666666666";
const p256 = "026B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296";
const ristretto = "0xE2F2AE0A6ABC4E71A884A961C500515F58E30B6AA582DD8DB6A65945E08D2D76";
const ones = (bytes: number) => "01".repeat(bytes);

/** `text` as a slice. */
const hex = (text: string) => `stringHexToSlice("${text}")`;

/** How an instruction is declared in Tolk, and called. */
type Opcode = { takes: string; gives: string; asm: string; given: string };

const givesSlice = (takes: string, asm: string, given: string): Opcode => ({
  takes,
  gives: "slice",
  asm,
  given,
});
const givesNumber = (takes: string, asm: string, given: string): Opcode => ({
  takes,
  gives: "int",
  asm,
  given,
});

const opcodes: Readonly<Record<string, Opcode>> = {
  CHKSIGNU: givesNumber("h: int, s: slice, k: int", '"CHKSIGNU"', `1, ${hex(ones(64))}, ${ed25519}`),
  P256_CHKSIGNU: givesNumber(
    "h: int, s: slice, k: slice",
    '"P256_CHKSIGNU"',
    `1, ${hex(ones(64))}, ${hex(p256)}`,
  ),
  ECRECOVER: givesNumber(
    "h: int, v: int, r: int, s: int",
    '"ECRECOVER" "NULLSWAPIFNOT" "NULLSWAPIFNOT2" "NIP" "NIP" "NIP"',
    `1, 0, ${secp256k1}, 1`,
  ),
  SECP256K1_XONLY_PUBKEY_TWEAK_ADD: givesNumber(
    "k: int, t: int",
    '"SECP256K1_XONLY_PUBKEY_TWEAK_ADD" "NULLSWAPIFNOT" "NULLSWAPIFNOT2" "NIP" "NIP" "NIP"',
    `${secp256k1}, 1`,
  ),
  BLS_VERIFY: givesNumber(
    "p: slice, m: slice, s: slice",
    '"BLS_VERIFY"',
    `${hex(g1)}, ${hex("00")}, ${hex(g2)}`,
  ),
  BLS_FASTAGGREGATEVERIFY: givesNumber(
    "p: slice, m: slice, s: slice",
    '"1 PUSHINT" "-ROT" "BLS_FASTAGGREGATEVERIFY"',
    `${hex(g1)}, ${hex("00")}, ${hex(g2)}`,
  ),
  BLS_PAIRING: givesNumber("x: slice, y: slice", '"1 PUSHINT" "BLS_PAIRING"', `${hex(g1)}, ${hex(g2)}`),
  BLS_AGGREGATE: givesSlice("x: slice, y: slice", '"2 PUSHINT" "BLS_AGGREGATE"', `${hex(g2)}, ${hex(g2)}`),
  BLS_G1_MUL: givesSlice("x: slice, n: int", '"BLS_G1_MUL"', `${hex(g1)}, ${order}`),
  BLS_G2_MUL: givesSlice("x: slice, n: int", '"BLS_G2_MUL"', `${hex(g2)}, ${order}`),
  BLS_G1_MULTIEXP: givesSlice("x: slice, n: int", '"1 PUSHINT" "BLS_G1_MULTIEXP"', `${hex(g1)}, ${order}`),
  BLS_G2_MULTIEXP: givesSlice("x: slice, n: int", '"1 PUSHINT" "BLS_G2_MULTIEXP"', `${hex(g2)}, ${order}`),
  BLS_G1_ADD: givesSlice("x: slice, y: slice", '"BLS_G1_ADD"', `${hex(g1)}, ${hex(g1)}`),
  BLS_G2_ADD: givesSlice("x: slice, y: slice", '"BLS_G2_ADD"', `${hex(g2)}, ${hex(g2)}`),
  BLS_G1_INGROUP: givesNumber("x: slice", '"BLS_G1_INGROUP"', hex(g1)),
  BLS_G2_INGROUP: givesNumber("x: slice", '"BLS_G2_INGROUP"', hex(g2)),
  BLS_MAP_TO_G1: givesSlice("x: slice", '"BLS_MAP_TO_G1"', hex(ones(48))),
  BLS_MAP_TO_G2: givesSlice("x: slice", '"BLS_MAP_TO_G2"', hex(ones(96))),
  RIST255_FROMHASH: givesNumber("x: int, y: int", '"RIST255_FROMHASH"', "1, 2"),
  RIST255_MUL: givesNumber("x: int, n: int", '"RIST255_MUL"', `${ristretto}, ${secp256k1}`),
  RIST255_MULBASE: givesNumber("n: int", '"RIST255_MULBASE"', secp256k1),
  RIST255_ADD: givesNumber("x: int, y: int", '"RIST255_ADD"', `${ristretto}, ${ristretto}`),
  HASHEXT_SHA512: givesNumber("x: slice", '"1 PUSHINT" "HASHEXT_SHA512" "0 INDEX"', hex(ones(100))),
  MULDIVMODC: givesNumber(
    "x: int, y: int, z: int",
    '"MULDIVMODC" "DROP"',
    `${secp256k1}, ${order}, ${order}`,
  ),
  ENDC: {
    takes: "n: int",
    gives: "cell",
    asm: '"NEWC" "256 STU" "ENDC"',
    given: "7",
  },
};

export const opcodeNames = Object.keys(opcodes).slice(0, sized(1, Number.POSITIVE_INFINITY));

/** A contract whose get-method `burn` repeats an instruction until its gas is used up. */
export function burning(name: string): Promise<Cell> {
  const { takes, gives, asm, given } = opcodes[name]!;
  return compile(`
    fun once(${takes}): ${gives} asm ${asm}
    get fun burn(): int {
      repeat (1000000) { once(${given}); }
      return 1;
    }`);
}
