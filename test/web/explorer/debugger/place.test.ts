import { describe, expect, it } from "vitest";
import { commandOf, keyHelp } from "../../../../server/web/explorer/debugger/keys.js";
import {
  readBreakpoints,
  readPlace,
  writeBreakpoints,
  writePlace,
} from "../../../../server/web/explorer/debugger/place.js";

const cell = `${"ab".repeat(32)}:56`;

describe("The address of a step", () => {
  it("has the step, the tab and a line, and is read as it was written", () => {
    const place = { step: 412, area: "stack", file: { file: "lib/a.tolk", line: 31 } } as const;
    expect(writePlace(place)).toBe("#step=412&tab=stack&file=lib/a.tolk:31");
    expect(readPlace("#step=412&tab=stack&file=lib/a.tolk:31")).toEqual(place);
    for (const file of ["a b&c.tolk", "ä,#.tolk", "%41.tolk", "@stdlib/x"]) {
      const strange = { step: 0, area: "code", file: { file, line: 1 } } as const;
      expect(readPlace(writePlace(strange))).toEqual(strange);
    }
  });

  it.each(["", "#", "#step=-1&tab=all&file=a.tolk", "#step=1e9&file=:1", `#step=${"9".repeat(30)}`])(
    "is ignored where it means nothing: %s",
    (hash) => {
      expect(readPlace(hash)).toEqual({ step: undefined, area: undefined, file: undefined });
    },
  );
});

describe("Breakpoints of an address", () => {
  it("are lines of the main file, lines of others, and instructions", () => {
    const breakpoints = ["a.tolk:31", "b.tolk:40", cell];
    expect(writeBreakpoints(breakpoints, "a.tolk")).toBe(`31,b.tolk:40,${cell}`);
    expect(readBreakpoints(`31,b.tolk:40,${cell}`, "a.tolk")).toEqual(breakpoints);
    const strange = ["a,b.tolk:7"];
    expect(readBreakpoints(writeBreakpoints(strange, ""), "")).toEqual(strange);
  });

  it("are bounded, and those that mean nothing are left out", () => {
    const many = Array.from({ length: 5000 }, (_, index) => index).join(",");
    expect(readBreakpoints(many, "a.tolk")).toHaveLength(100);
    expect(readBreakpoints(`x,31,31,%zz,${"f".repeat(400)}:1`, "a.tolk")).toEqual(["a.tolk:31"]);
    expect(readBreakpoints("", "a.tolk")).toEqual([]);
  });
});

describe("Keys of the debugger", () => {
  const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) =>
    commandOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

  it("move by step, by line and by function", () => {
    expect(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].map((key) => press(key))).toEqual([
      "forth",
      "back",
      "down",
      "up",
    ]);
    expect(press("ArrowRight", { shiftKey: true })).toBe("out");
    expect(press("ArrowUp", { shiftKey: true })).toBe("outBack");
    expect([press("c"), press("C", { shiftKey: true })]).toEqual(["on", "onBack"]);
    expect([press("?", { shiftKey: true }), press("/")]).toEqual(["help", "find"]);
    expect(["1", "2", "3", "4", "5", "6"].map((key) => press(key))).toEqual([
      "stack",
      "locals",
      "storage",
      "actions",
      "message",
      undefined,
    ]);
  });

  it("leave the keys of the browser alone", () => {
    expect(press("f", { ctrlKey: true })).toBeUndefined();
    expect(press("c", { metaKey: true })).toBeUndefined();
    expect(press("ArrowLeft", { altKey: true })).toBeUndefined();
    for (const key of ["Tab", "Enter", "toString", "constructor"]) expect(press(key)).toBeUndefined();
  });

  it("are all in the help", () => {
    const text = keyHelp.map(([keys]) => keys).join(" ");
    for (const key of [
      "→",
      "←",
      "↓",
      "↑",
      "Shift",
      "Home",
      "End",
      "f",
      "b",
      "c",
      "C",
      "g",
      "/",
      "1",
      "5",
      "?",
    ])
      expect(text.split(" ")).toContain(key);
  });
});
