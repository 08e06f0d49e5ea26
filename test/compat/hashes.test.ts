import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/app.js";
import { callAs, formNames, parsePrefix } from "../helpers/wire.js";

const hex = "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3";
const standard = "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM";
const url = "CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM";
const detected = { "@type": "ext.utils.detectedHash", b64: `${standard}=`, b64url: url, hex };

const accepted = [
  ["C-20", hex],
  ["C-21", hex.toUpperCase()],
  ["C-22", `${standard}=`],
  ["C-23", `${url}=`],
  ["C-24", url],
  ["a second padding behind the first", `${standard}=====`],
] as const;

const refused = [
  ["C-25, 43 characters of the standard alphabet", standard],
  ["C-26", "not a hash"],
  ["both alphabets at once", "CPUE4WXeEJT-Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM="],
  ["31 bytes", `${"A".repeat(42)}==`],
  ["63 hex digits", hex.slice(1)],
  ["a prefix of its own", `0x${hex}`],
] as const;

describe.each(formNames)("hashes by %s", (form) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  });
  afterAll(() => app.close());

  it.each(accepted)("%s: detectHash %s gives every form", async (_, hash) => {
    expect(await callAs(form, app, "detectHash", { hash })).toEqual({ result: detected });
  });

  it("C-28: the hash of nothing is the hash of no transaction", async () => {
    expect(await callAs(form, app, "detectHash", { hash: "0".repeat(64) })).toEqual({
      result: {
        "@type": "ext.utils.detectedHash",
        b64: `${"A".repeat(43)}=`,
        b64url: "A".repeat(43),
        hex: "0".repeat(64),
      },
    });
  });

  it.each(refused)("%s: detectHash refuses %s", async (_, hash) => {
    expect(await callAs(form, app, "detectHash", { hash })).toEqual({
      error: `${parsePrefix(form)}invalid hash: '${hash}'`,
      code: 422,
    });
  });

  it("C-27: an empty hash has words of its own, without a prefix", async () => {
    expect(await callAs(form, app, "detectHash", { hash: "" })).toEqual({ error: "empty hash", code: 422 });
  });

  it("a missing hash is empty in a query and named elsewhere", async () => {
    const error = form === "GET" ? "empty hash" : `${parsePrefix(form)}hash is required`;
    expect(await callAs(form, app, "detectHash", {})).toEqual({ error, code: 422 });
  });
});
