import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { variants } from "../helpers/effort.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/http/app.js";
import { callAs, formNames, parsePrefix } from "../helpers/http/wire.js";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const rawUpper = "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8";
const bounceable = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const nonBounceable = "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI";
const testBounceable = "kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH";
const testNonBounceable = "0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC";
const mixedUrl = "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2";
const mixedStandard = "EQDtFpEwcFAEcRe5mLVh2N6C0x+/hJEM7W61/JLnSF74p4q2";

const variant = (b64: string, b64url = b64) => ({ "@type": "ext.utils.detectedAddressVariant", b64, b64url });
const detected = (
  raw_form: string,
  forms: readonly [ReturnType<typeof variant>, ReturnType<typeof variant>],
  given_type: string,
  test_only = false,
) => ({
  "@type": "ext.utils.detectedAddress",
  raw_form,
  bounceable: forms[0],
  non_bounceable: forms[1],
  given_type,
  test_only,
});

const plain = [variant(bounceable), variant(nonBounceable)] as const;
const test = [variant(testBounceable), variant(testNonBounceable)] as const;
const mixed = [
  variant(mixedStandard, mixedUrl),
  variant(
    "UQDtFpEwcFAEcRe5mLVh2N6C0x+/hJEM7W61/JLnSF74p9dz",
    "UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz",
  ),
] as const;
const mixedRaw = "0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7";
const threes = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";

const detectCases = [
  ["the raw form", rawUpper, detected(raw, plain, "raw_form")],
  ["a bounceable address", bounceable, detected(raw, plain, "friendly_bounceable")],
  ["a non-bounceable address", nonBounceable, detected(raw, plain, "friendly_non_bounceable")],
  ["a bounceable test-only address", testBounceable, detected(raw, test, "friendly_bounceable", true)],
  [
    "a non-bounceable test-only address",
    testNonBounceable,
    detected(raw, test, "friendly_non_bounceable", true),
  ],
  ["the URL alphabet", mixedUrl, detected(mixedRaw, mixed, "friendly_bounceable")],
  ["the standard alphabet", mixedStandard, detected(mixedRaw, mixed, "friendly_bounceable")],
  [
    "both alphabets at once",
    "EQDtFpEwcFAEcRe5mLVh2N6C0x+_hJEM7W61_JLnSF74p4q2",
    detected(mixedRaw, mixed, "friendly_bounceable"),
  ],
  [
    "a masterchain address",
    threes,
    detected(
      `-1:${"3".repeat(64)}`,
      [variant(threes), variant("Uf8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMxYA")],
      "friendly_bounceable",
    ),
  ],
  [
    "the raw form of a masterchain address",
    `-1:${"5".repeat(64)}`,
    detected(
      `-1:${"5".repeat(64)}`,
      [
        variant("Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn"),
        variant("Uf9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVeGi"),
      ],
      "raw_form",
    ),
  ],
  [
    "the zero address of the basechain",
    `0:${"0".repeat(64)}`,
    detected(
      `0:${"0".repeat(64)}`,
      [
        variant("EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c"),
        variant("UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ"),
      ],
      "raw_form",
    ),
  ],
  [
    "the zero address of the masterchain",
    `-1:${"0".repeat(64)}`,
    detected(
      `-1:${"0".repeat(64)}`,
      [
        variant("Ef8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAU"),
        variant("Uf8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAG3R"),
      ],
      "raw_form",
    ),
  ],
] as const;

const packCases = [
  ["the raw form", raw, bounceable],
  ["the raw form in capitals", rawUpper, bounceable],
  ["a non-bounceable address", nonBounceable, nonBounceable],
  ["a test-only address", testBounceable, testBounceable],
  ["the standard alphabet", mixedStandard, mixedUrl],
] as const;

const unpackCases = [
  ["a bounceable address", bounceable, rawUpper],
  ["a non-bounceable address", nonBounceable, rawUpper],
  ["a test-only address", testBounceable, rawUpper],
  ["the raw form", raw, rawUpper],
  ["the raw form in capitals", rawUpper, rawUpper],
  ["a masterchain address", threes, `-1:${"3".repeat(64)}`],
] as const;

const notAddresses = [
  "not_an_address",
  "invalid",
  "",
  "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2O",
  raw.slice(0, -1),
  raw.slice(2),
  `128:${raw.slice(2)}`,
  `-129:${raw.slice(2)}`,
];

const hex = "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3";
const standard = "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM";
const url = "CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM";
const detectedHash = { "@type": "ext.utils.detectedHash", b64: `${standard}=`, b64url: url, hex };

const hashForms = [
  ["hex", hex],
  ["hex in capitals", hex.toUpperCase()],
  ["base64", `${standard}=`],
  ["base64url with padding", `${url}=`],
  ["base64url", url],
  ["base64 with too much padding", `${standard}=====`],
] as const;

const notHashes = [
  ["base64 without padding", standard],
  ["other text", "not a hash"],
  ["both alphabets at once", "CPUE4WXeEJT-Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM="],
  ["31 bytes", `${"A".repeat(42)}==`],
  ["63 hex digits", hex.slice(1)],
  ["a prefix of its own", `0x${hex}`],
] as const;

describe.each(variants(formNames.slice(0, 2), formNames.slice(2)))("by %s", (form) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  });
  afterAll(() => app.close());

  /** Inputs that all three address methods refuse. */
  function refusesBadAddresses(method: string): void {
    it.each(notAddresses)("refuses %j as an address", async (address) => {
      expect(await callAs(form, app, method, { address })).toEqual({
        error: `${parsePrefix(form)}Failed to parse ton_addr: '${address}'`,
        code: 422,
      });
    });
  }

  describe("detectAddress", () => {
    it.each(detectCases)("gives every form of %s: %s", async (_, address, result) => {
      expect(await callAs(form, app, "detectAddress", { address })).toEqual({ result });
    });

    refusesBadAddresses("detectAddress");
  });

  describe("detectHash", () => {
    it.each(hashForms)("gives every form of %s: %s", async (_, hash) => {
      expect(await callAs(form, app, "detectHash", { hash })).toEqual({ result: detectedHash });
    });

    it("takes the hash of no transaction, which is zero", async () => {
      expect(await callAs(form, app, "detectHash", { hash: "0".repeat(64) })).toEqual({
        result: {
          "@type": "ext.utils.detectedHash",
          b64: `${"A".repeat(43)}=`,
          b64url: "A".repeat(43),
          hex: "0".repeat(64),
        },
      });
    });

    it.each(notHashes)("refuses %s: %s", async (_, hash) => {
      expect(await callAs(form, app, "detectHash", { hash })).toEqual({
        error: `${parsePrefix(form)}invalid hash: '${hash}'`,
        code: 422,
      });
    });

    it("refuses an empty hash with an error text without prefix", async () => {
      expect(await callAs(form, app, "detectHash", { hash: "" })).toEqual({ error: "empty hash", code: 422 });
    });

    it("names a missing hash, or treats it as empty in a query", async () => {
      const error = form === "GET" ? "empty hash" : `${parsePrefix(form)}hash is required`;
      expect(await callAs(form, app, "detectHash", {})).toEqual({ error, code: 422 });
    });
  });

  describe("packAddress", () => {
    it.each(packCases)("gives the friendly form of %s: %s", async (_, address, result) => {
      expect(await callAs(form, app, "packAddress", { address })).toEqual({ result });
    });

    refusesBadAddresses("packAddress");

    it("names a missing address, or treats it as empty in a query", async () => {
      const wanted = form === "GET" ? "Failed to parse ton_addr: ''" : "address is required";
      expect(await callAs(form, app, "packAddress", {})).toEqual({
        error: parsePrefix(form) + wanted,
        code: 422,
      });
    });
  });

  describe("unpackAddress", () => {
    it.each(unpackCases)("gives the raw form of %s: %s", async (_, address, result) => {
      expect(await callAs(form, app, "unpackAddress", { address })).toEqual({ result });
    });

    refusesBadAddresses("unpackAddress");
  });
});
