import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/app.js";
import { callAs, formNames, parsePrefix } from "../helpers/wire.js";

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
  ["C-01", rawUpper, detected(raw, plain, "raw_form")],
  ["C-02", bounceable, detected(raw, plain, "friendly_bounceable")],
  ["C-03", nonBounceable, detected(raw, plain, "friendly_non_bounceable")],
  ["C-04", testBounceable, detected(raw, test, "friendly_bounceable", true)],
  ["C-05", testNonBounceable, detected(raw, test, "friendly_non_bounceable", true)],
  ["C-06", mixedUrl, detected(mixedRaw, mixed, "friendly_bounceable")],
  ["C-07", mixedStandard, detected(mixedRaw, mixed, "friendly_bounceable")],
  [
    "C-08",
    "EQDtFpEwcFAEcRe5mLVh2N6C0x+_hJEM7W61_JLnSF74p4q2",
    detected(mixedRaw, mixed, "friendly_bounceable"),
  ],
  [
    "C-09",
    threes,
    detected(
      `-1:${"3".repeat(64)}`,
      [variant(threes), variant("Uf8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMxYA")],
      "friendly_bounceable",
    ),
  ],
  [
    "C-10",
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
    "C-11",
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
    "C-12",
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

const textCases = [
  ["C-13", "packAddress", raw, bounceable],
  ["C-13", "packAddress", rawUpper, bounceable],
  ["C-14", "packAddress", nonBounceable, nonBounceable],
  ["C-15", "packAddress", testBounceable, testBounceable],
  ["C-16", "packAddress", mixedStandard, mixedUrl],
  ["C-17", "unpackAddress", bounceable, rawUpper],
  ["C-17", "unpackAddress", nonBounceable, rawUpper],
  ["C-17", "unpackAddress", testBounceable, rawUpper],
  ["C-17", "unpackAddress", raw, rawUpper],
  ["C-17", "unpackAddress", rawUpper, rawUpper],
  ["C-18", "unpackAddress", threes, `-1:${"3".repeat(64)}`],
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

describe.each(formNames)("addresses by %s", (form) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  });
  afterAll(() => app.close());

  it.each(detectCases)("%s: detectAddress %s gives every form", async (_, address, result) => {
    expect(await callAs(form, app, "detectAddress", { address })).toEqual({ result });
  });

  it.each(textCases)("%s: %s %s", async (_, method, address, result) => {
    expect(await callAs(form, app, method, { address })).toEqual({ result });
  });

  it.each(notAddresses)("C-19: refuses %j as an address", async (address) => {
    for (const method of ["detectAddress", "packAddress", "unpackAddress"]) {
      expect(await callAs(form, app, method, { address })).toEqual({
        error: `${parsePrefix(form)}Failed to parse ton_addr: '${address}'`,
        code: 422,
      });
    }
  });

  it("names a missing address, or treats it as empty in a query", async () => {
    const wanted = form === "GET" ? "Failed to parse ton_addr: ''" : "address is required";
    expect(await callAs(form, app, "packAddress", {})).toEqual({
      error: parsePrefix(form) + wanted,
      code: 422,
    });
  });
});
