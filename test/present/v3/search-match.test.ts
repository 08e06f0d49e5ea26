import { expect, it } from "vitest";
import { matchAccounts } from "../../../server/present/v3/search-match.js";

const accounts = ["Elector", "Wallet 0 (ann)", "Tree 5", "Tree 51", "Über-Wallet"].map((name, at) => ({
  address: `0:${at}`,
  name,
}));
const namesLike = (text: string) => matchAccounts(accounts, text).map(({ name }) => name);

it.each([
  ["elec", ["Elector"]],
  ["ann", ["Wallet 0 (ann)"]],
  ["WALLET", ["Wallet 0 (ann)", "Über-Wallet"]],
  ["wallet 0", ["Wallet 0 (ann)"]],
  ["tree 5", ["Tree 5", "Tree 51"]],
  ["tree 51", ["Tree 51"]],
  ["über", ["Über-Wallet"]],
  ["allet", []],
  ["()", []],
  ["", []],
])("accounts like %j are %j", (text, names) => {
  expect(namesLike(text)).toEqual(names);
});

it("lists the account of exactly this name first", () => {
  const reversed = [...accounts].reverse();
  expect(matchAccounts(reversed, "tree 5").map(({ name }) => name)).toEqual(["Tree 5", "Tree 51"]);
});
