import { expect, it } from "vitest";
import { HoldingsTable } from "../../../server/access/limits/shared-holdings.js";

const none = { bytes: 0, history: 0 };
const streams = (connections: number, accounts = 0) => ({ connections, accounts, firehoses: 0 });

it("streams of an owner count in every process, until the process that has them ends", () => {
  const table = new HoldingsTable(() => 0);
  expect(table.exchange("1", "a", streams(2, 5), none)).toEqual({ others: streams(0), used: none });
  expect(table.exchange("2", "a", streams(1), none).others).toEqual(streams(2, 5));
  expect(table.exchange("2", "b", streams(1), none).others).toEqual(streams(0));
  expect(table.exchange("1", "a", streams(0), none).others).toEqual(streams(1));
  table.drop("2");
  expect(table.exchange("1", "a", streams(0), none).others).toEqual(streams(0));
});

it("what an owner used is the sum over all processes", () => {
  const table = new HoldingsTable(() => 0);
  table.exchange("1", "a", streams(1), { bytes: 10, history: 1 });
  const { used } = table.exchange("2", "a", streams(1), { bytes: 5, history: 2 });
  expect(used).toEqual({ bytes: 15, history: 3 });
});
