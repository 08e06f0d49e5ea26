import { expect, it } from "vitest";
import { groupOf } from "../../server/metadata/host-group.js";

it.each([
  ["https://a.b.tarpit.example/x", "tarpit.example"],
  ["https://tarpit.example./x", "tarpit.example"],
  ["https://one.two.co.uk/", "two.co.uk"],
  // A platform's owner controls all of it, because names below it cost nothing.
  ["https://somebody.github.io/", "github.io"],
  ["https://co.uk/", "co.uk"],
  ["https://localhost/", "localhost"],
  ["http://93.184.215.14/", "93.184.215"],
  ["http://0x5d.0xb8d70e/", "93.184.215"],
  ["http://[2001:41d0:1:1234::1]/", "[2001:41d0:1]"],
  ["http://[2001:41d0:1:ffff:1:2:3:4]/", "[2001:41d0:1]"],
  ["http://[2001:41d0::1]/", "[2001:41d0:0]"],
  ["http://[2600::]/", "[2600:0:0]"],
])("hosts are grouped by owner: %s", (url, group) => {
  expect(groupOf(new URL(url))).toBe(group);
});
