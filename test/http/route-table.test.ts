import { describe, expect, it } from "vitest";
import { RouteTable } from "../../server/http/route-table.js";
import type { Route } from "../../server/http/routes.js";

const route = (method: string): Route => ({ method, surface: "v4", handlers: {} });
const table = new RouteTable(
  [
    "/exact",
    "/block/latest",
    "/block/:seqno",
    "/block/utime/:utime",
    "/block/:seqno/:address/changed/:lt",
  ].map((path) => [path, route(path)] as const),
);
const find = (path: string) => {
  const found = table.find(path);
  return found && [found.route.method, found.inPath && Object.fromEntries(found.inPath)];
};

describe("a table of routes", () => {
  it("finds exact paths before those with parameters, and ignores one slash at the end", () => {
    expect(find("/block/latest")).toEqual(["/block/latest", undefined]);
    expect(find("/block/latest/")).toEqual(["/block/latest", undefined]);
    expect(find("/exact/")).toEqual(["/exact", undefined]);
    expect(find("/block/7/")).toEqual(["/block/:seqno", { seqno: "7" }]);
    expect(find("/block/utime/7")).toEqual(["/block/utime/:utime", { utime: "7" }]);
  });

  it("gives the values of parameters without escapes, and invalid escapes unchanged", () => {
    expect(find("/block/a%2Fb/c+d/changed/%E4")).toEqual([
      "/block/:seqno/:address/changed/:lt",
      { seqno: "a/b", address: "c+d", lt: expect.any(String) },
    ]);
    expect(find("/block/%zz")).toEqual(["/block/:seqno", { seqno: "%zz" }]);
  });

  it("finds nothing for other paths, also of names that objects have", () => {
    for (const path of [
      "/",
      "",
      "/block",
      "/block/7/x",
      "/block/7/x/changed",
      "/exact//",
      "//exact",
      "/toString",
    ])
      expect([path, find(path)]).toEqual([path, undefined]);
    expect(find("/block/__proto__")).toEqual(["/block/:seqno", { seqno: "__proto__" }]);
  });

  it("takes no empty part for a parameter", () => {
    for (const path of ["/block//", "/block//a/changed/1"])
      expect([path, find(path)]).toEqual([path, undefined]);
  });
});
