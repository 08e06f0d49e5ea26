import { describe, expect, it } from "vitest";
import { embeddedMetadata, isEmbedded } from "../../server/metadata/embedded-document.js";

const document = { name: "Ahorn é", attributes: [{ trait_type: "Species", value: "maple" }] };
const text = JSON.stringify(document);
const found = { valid: true, name: document.name, extra: { attributes: document.attributes } };

describe("The link of a token", () => {
  it("may contain its metadata, encoded as a URL or in base64", () => {
    const base64 = Buffer.from(text).toString("base64");
    for (const link of [
      `data:application/json,${encodeURIComponent(text)}`,
      `DATA:application/JSON;charset=utf-8,${text}`,
      `data:application/json;base64,${base64}`,
      `data:application/json;charset=utf-8;base64,${encodeURIComponent(base64)}`,
    ])
      expect(embeddedMetadata(link)).toEqual(found);
  });

  it("is invalid if it contains something else, too much, or what no reader understands", () => {
    for (const data of ["", "1", "{}", "{", "%ff", "%", "[".repeat(100), `{"name":"${"x".repeat(65_536)}"}`])
      expect(embeddedMetadata(`data:application/json,${data}`)).toEqual({ valid: false });
    expect(embeddedMetadata("data:application/json;base64,/w==")).toEqual({ valid: false });
  });

  it("is that of a place otherwise", () => {
    for (const link of ["https://a.example/1.json", "data:text/plain,{}", "", undefined, 5, {}]) {
      expect(isEmbedded(link)).toBe(false);
      expect(embeddedMetadata(link)).toBeUndefined();
    }
  });
});
