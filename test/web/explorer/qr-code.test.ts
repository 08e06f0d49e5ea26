import { describe, expect, it } from "vitest";
import { correctionOf } from "../../../server/web/explorer/qr/error-correction.js";
import { modulesOf } from "../../../server/web/explorer/qr/modules.js";
import { qrCode, qrPicture } from "../../../server/web/explorer/qr/qr-code.js";

/** Codes of an independent encoder with the same mask: rows as hex numbers, the first module the highest bit. */
const vectors: [text: string, rows: string][] = [
  [
    "tonwire",
    "1fc37f 104741 17555d 175b5d 175d5d 105e41 1fd57f 1400 17ce7c 18a7e9 1e16a 1a13cc 105102 1d3b 1fc282 10503f 1752aa 175bdc 175548 1043cc 1fdd32",
  ],
  [
    "ton://transfer/EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "1fdf5d557f 1050f3b041 1747a14d5d 175482545d 174c7a995d 104f739841 1fd555557f 1c9cb700 16ea11064b 131fb0848c 14eaec8588 159be63e9f e660066d6 e0c7446fc be69e59b2 15b70ff448 d9dd300c 1ab51b0a4d ad5368bab 286ca23fa 6b8d9e92 15b87341af eb19ed94 1a3bd6f847 1752e7daed 1bb9d317d 9e63b2c2a 12abd4a29a 5e7a45dfd 1eec5d18 1fd5f88957 1058b06711 1748c46df0 175f2d53f2 1756932efe 1048917d1c 1fda62e87b",
  ],
  [
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "1fdfccc7f 104d11141 1754bbb5d 1740ccc5d 1746ccc5d 105511141 1fd55557f 844400 146d33325 170f33361 9f2eeed5 89a4448a 569f336b 193933361 8c8eeed5 f2d0448a 186b7336b e8033361 136a6eed5 1fb58448a 7ca7336b fb1b3361 1edfaeed5 31104489 1970f33f8 1d33111 1fdcaed55 104d4471a 1745333fb 174bf3293 17526ef97 104904528 1fdeb3179",
  ],
  [
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
    "1fc587a177f 104e7d0bd41 1752c2f425d 175ac85e85d 175d47a175d 1056bd0bd41 1fd5555557f 12c2f4200 17ced85e87c 1fa507a17f3 13477d0bdac 81b32f4259 5fd485e806 1ea727a17f3 3476d0bdac 81812f4259 cff685e806 12be97a17f3 1f7bcd0bdac 1e31b2f4259 13eb685e806 121ad7a17f3 1d6f8d0bdac 1e0572f425b 13efa85e807 25b7a17f3 19f7ad0bdac 2b732f4259 7c1385e806 11a0f7a17f3 10f7bd0bdac 133612f4259 17d3385e9f6 1957a1513 1fc48d0bf5c 105b12f4319 1759545e9f6 175517a1703 17548d0bcfc 104356f41aa 1fd1885ea54",
  ],
];

describe("a QR code", () => {
  it.each(vectors)("of %s is that of another encoder", (text, rows) => {
    const made = qrCode(text).map((row) =>
      BigInt(`0b${row.map((isDark) => (isDark ? 1 : 0)).join("")}`).toString(16),
    );
    expect(made.join(" ")).toBe(rows);
  });

  it("has the smallest of six sizes that the text fits, and refuses longer texts", () => {
    const sizes = [14, 15, 26, 42, 62, 84, 106].map((length) => qrCode("x".repeat(length)).length);
    expect(sizes).toEqual([21, 25, 25, 29, 33, 37, 41]);
    expect(() => qrCode("x".repeat(107))).toThrow("107 bytes");
    expect(() => qrCode("€".repeat(36))).toThrow("108 bytes");
  });

  it("has the finders, the timing pattern and the dark module at their places", () => {
    const modules = modulesOf(1, new Array(26).fill(0));
    const finder = "1111111 1000001 1011101 1011101 1011101 1000001 1111111";
    const shown = (top: number, left: number) =>
      modules
        .slice(top, top + 7)
        .map((row) =>
          row
            .slice(left, left + 7)
            .map(Number)
            .join(""),
        )
        .join(" ");
    expect([shown(0, 0), shown(0, 14), shown(14, 0)]).toEqual([finder, finder, finder]);
    expect(modules[6]!.slice(7, 14).map(Number).join("")).toBe("0101010");
    expect(modules[13]![8]).toBe(true);
  });

  it("is drawn dark on light, with a margin and a label", () => {
    const { text } = qrPicture("tonwire", 'code of "it"');
    expect(text).toContain('viewBox="0 0 29 29"');
    expect(text).toContain('aria-label="code of &quot;it&quot;"');
    expect(text).toContain('d="M4 4h1v1h-1z');
  });
});

it("Correction makes a word that the generator divides", () => {
  // The example of the standard's annex: the text 01234567 in version 1, level M.
  const data = [
    0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11,
  ];
  expect(correctionOf(data, 10)).toEqual([0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55]);
});
