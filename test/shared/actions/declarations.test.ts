import { describe, expect, it } from "vitest";
import { actions } from "../../../server/store/tables/actions.js";
import { actionDeclarations, actionTypes } from "../../../shared/actions/all.js";

describe("The declarations of actions", () => {
  it("number all stored types, in one series", () => {
    const codes = Object.values(actionDeclarations).flatMap(({ code }) => code ?? []);
    expect(codes.sort((a, b) => a - b)).toEqual(codes.map((_, i) => i + 1));
    expect(actionTypes.filter((type) => actionDeclarations[type].code === undefined)).toEqual([
      "extra_currency_transfer",
    ]);
  });

  it.each(actionTypes)("store each member of %s in places of its own, in columns that rows have", (type) => {
    const { placed } = actionDeclarations[type];
    const places = placed.flatMap(({ paths }) => paths);
    expect(new Set(places.map((path) => path.join("."))).size).toBe(places.length);
    const columns = places.flatMap(([column, name]) =>
      name === undefined && !column.endsWith("_data") ? column : [],
    );
    expect(Object.keys(actions.columns)).toEqual(expect.arrayContaining(columns));
  });

  it.each(actionTypes)("give conditions of %s the names of stored members", (type) => {
    const { placed } = actionDeclarations[type];
    const stored = placed.filter(({ paths }) => paths.length > 0).map(({ name }) => name);
    const named = placed.flatMap(({ member }) => member.settings.condition?.name ?? []);
    expect(stored).toEqual(expect.arrayContaining(named));
  });
});
