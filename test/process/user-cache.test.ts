import { join } from "node:path";
import { expect, it } from "vitest";
import { userCacheFolder } from "../../server/process/user-cache.js";

it("derived files lie where the system wants them", () => {
  expect(userCacheFolder({ HOME: "/home/a" }, "linux")).toBe(join("/home/a", ".cache", "tonwire"));
  expect(userCacheFolder({ HOME: "/home/a", XDG_CACHE_HOME: "/c" }, "linux")).toBe(join("/c", "tonwire"));
  expect(userCacheFolder({ HOME: "/home/a", XDG_CACHE_HOME: "c" }, "linux")).toBe(
    join("/home/a", ".cache", "tonwire"),
  );
  expect(userCacheFolder({ HOME: "/a" }, "darwin")).toBe(join("/a", "Library", "Caches", "tonwire"));
  expect(userCacheFolder({ LOCALAPPDATA: "/local" }, "win32")).toBe(join("/local", "tonwire"));
});

it("without a home nothing is kept", () => {
  expect(userCacheFolder({ HOME: "" }, "linux")).toBeUndefined();
  expect(userCacheFolder({}, "win32")).toBeUndefined();
});

it("a user whom the system does not know has no home", () => {
  const unknown = () => {
    throw Object.assign(new Error("uv_os_homedir returned ENOENT"), { syscall: "uv_os_homedir" });
  };
  expect(userCacheFolder({}, "linux", unknown)).toBe(undefined);
  expect(userCacheFolder({}, "linux", () => "/home/dev")).toBe("/home/dev/.cache/tonwire");
});
