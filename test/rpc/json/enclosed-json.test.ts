import { describe, expect, it } from "vitest";
import { enclosed } from "../../../server/rpc/json/enclosed-json.js";
import { JsonBytes, SingleUseJson } from "../../../shared/methods/json-text.js";

const text = '{"a":"é"}';

describe("a JSON text between two others", () => {
  it("is text if it was text, and bytes if it was bytes", () => {
    expect(enclosed('{"r":', text, "}")).toBe(`{"r":${text}}`);
    const joined = enclosed('{"é":', new JsonBytes(Buffer.from(text)), ',"b":"é"}');
    expect(joined).toBeInstanceOf(JsonBytes);
    expect(String(joined)).toBe(`{"é":${text},"b":"é"}`);
  });

  it("may lose its end", () => {
    for (const json of [text, new JsonBytes(Buffer.from(text))])
      expect(String(enclosed("", json, ',"b":1}', 1))).toBe('{"a":"é","b":1}');
  });

  it("is a copy of a text of single use, whose memory is given back once", () => {
    const memory = Buffer.from(text);
    let returns = 0;
    const json = new SingleUseJson(memory, () => {
      returns++;
      memory.fill("?");
    });
    expect(String(enclosed("[", json, "]"))).toBe(`[${text}]`);
    expect(returns).toBe(1);
  });
});
