import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { ParamReader } from "../../../server/rpc/params/params.js";
import { Positions } from "../../../server/rpc/params/positions.js";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { inOrder } from "../../helpers/http/positions.js";

/** The order that callers rely on. Parameters are added at the end, and never removed, renamed or moved. */
const contract: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL("positions.json", import.meta.url), "utf8"),
);
const methods = flatten(registry);
const { openRpc } = createDocuments(registry, { network: "devnet", version: "0.1.0" });

describe("the order of parameters", () => {
  it("is the one of the contract for every method; add new parameters and methods to positions.json", () => {
    const documented = Object.fromEntries(
      openRpc.methods
        .filter(({ deprecated }) => !deprecated)
        .map(({ name, params }) => [name, params.map((param) => param.name)]),
    );
    expect(documented).toEqual(contract);
  });

  it("has the required ones first, so that the optional ones can be left out", () => {
    const mixed = openRpc.methods.filter(({ params }) => {
      const firstOptional = params.findIndex(({ required }) => !required);
      return firstOptional >= 0 && params.slice(firstOptional).some(({ required }) => required);
    });
    expect(mixed.map(({ name }) => name)).toEqual([]);
  });

  it.each(methods)("makes the examples of %s the same calls by position as by name", (name, definition) => {
    const reader = new ParamReader(definition.params, name.startsWith("v3.") ? "v3" : "v2");
    const positions = new Positions(definition.params);
    for (const { params } of definition.examples) {
      const named = positions.named(inOrder(definition, params)) as Record<string, unknown>;
      expect(reader.read({ object: named }).values).toEqual(reader.read({ object: params }).values);
    }
  });
});
