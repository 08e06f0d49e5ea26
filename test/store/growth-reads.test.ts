import { expect, test } from "vitest";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { growthReads } from "../helpers/store/growth-reads.js";

test("The reads that are measured as an index grows are of every v3 method", () => {
  const names = flatten(registry.v3).map(([name]) => name);
  expect(Object.keys(growthReads).sort()).toEqual(names.sort());
});
