import { expect, it } from "vitest";
import { trustedUsers } from "../../server/access/unmarked-proxies.js";
import { ownUser } from "../../server/os/file-owner.js";

it.each<[title: string, own: number, caller: string | undefined, trusted: number[]]>([
  ["a user", 1000, undefined, [0, 1000]],
  ["root", 0, undefined, [0]],
  ["root for a caller of sudo", 0, "1000", [0, 1000]],
  ["root for root", 0, "0", [0]],
  ["a user that sudo changed to", 1000, "1001", [0, 1000]],
  ["root with something else in its place", 0, "1000 or so", [0]],
  ["root with nothing in its place", 0, "", [0]],
])("a process of %s trusts", (_, own, caller, trusted) => {
  const environment = caller === undefined ? {} : { SUDO_UID: caller };
  expect([...trustedUsers(own, environment)].sort()).toEqual(trusted);
});

it("a process trusts its own user", () => {
  const own = ownUser();
  expect(trustedUsers().has(own ?? 0)).toBe(true);
});
