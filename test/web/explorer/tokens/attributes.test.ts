import { expect, it } from "vitest";
import { attributeList, attributesIn } from "../../../../server/web/explorer/tokens/attributes.js";

it("attributes are names with texts, numbers and truth values", () => {
  const given = [
    { trait_type: "Bark", value: "rough" },
    { trait_type: "Height", value: 7 },
    { value: true },
    { trait_type: { deep: 1 }, value: "x" },
    { trait_type: "Nested", value: [1] },
    { trait_type: "None", value: null },
    null,
    "text",
    [],
  ];
  expect(attributesIn(given)).toEqual([
    { name: "Bark", value: "rough" },
    { name: "Height", value: "7" },
    { name: "", value: "true" },
    { name: "", value: "x" },
  ]);
  for (const other of [undefined, null, "text", 7, { 0: { value: "x" }, length: 1 }])
    expect(attributesIn(other)).toEqual([]);
});

it("attributes are few, short and escaped", () => {
  const many = Array.from({ length: 1000 }, () => ({ trait_type: "<b>", value: "x".repeat(10_000) }));
  const { text } = attributeList(many);
  expect(text.match(/<li>/g)).toHaveLength(60);
  expect(text.length).toBeLessThan(20_000);
  expect(text).not.toContain("<b>");
  expect(attributeList([{ value: {} }]).text).toBe("");
});
