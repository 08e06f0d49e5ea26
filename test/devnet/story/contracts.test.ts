import { Cell, loadTransaction } from "@ton/core";
import { expect, it, onTestFinished } from "vitest";
import { dnsOf } from "../../../server/devnet/story/domains.js";
import { participantsOf } from "../../../server/devnet/story/participants.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { storyEnded } from "../../helpers/stories/story.js";
import { until } from "../../helpers/until.js";

/** Whether a transaction failed. */
function isAborted(boc: string): boolean {
  const { description } = loadTransaction(Cell.fromBase64(boc).beginParse());
  return "aborted" in description && description.aborted;
}

type Contract = { address: string; kind: string; name: string; description: string };

it("devnet.info names the deployed contracts of the story, and none after a reset", async () => {
  const service = await startDevnetService({ story: true });
  onTestFinished(() => service.close());
  const hasEnded = async () => (await service.run<{ story_told: boolean }>("devnet.info")).story_told;
  expect(await hasEnded()).toBe(false);
  await storyEnded(service);
  await until("the end of the story", hasEnded);
  const contracts = async () => (await service.run<{ contracts: Contract[] }>("devnet.info")).contracts;
  const { zone } = dnsOf(participantsOf("tonwire", await devnetWallets("tonwire")));
  const named = await contracts();
  expect(named).toContainEqual({
    address: zone.item("finn").toRawUpper(),
    kind: "dns_item",
    name: "finn.ton",
    description: "Domain that names a wallet.",
  });
  // Names are what an application calls the contract; texts about it are in its description.
  for (const { name, description } of named) {
    expect(name).toMatch(/^@?[\w.]+( [\w.]+){0,4}$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
  }
  // The descriptions mention failed transactions; check that they exist.
  const failing = named.filter(({ description }) => description.includes("Failed"));
  expect(failing.map(({ kind }) => kind)).toEqual(["jetton_master", "jetton_wallet", "nft_item"]);
  for (const { address } of failing) {
    const all = await service.run<{ data: string }[]>("getTransactions", { address, limit: 50 });
    const failed = all.filter(({ data }) => isAborted(data));
    expect([address, failed.length > 0]).toEqual([address, true]);
  }
  for (const { address } of named)
    expect([address, await service.run("getAddressState", { address })]).toEqual([address, "active"]);
  await service.run("devnet.reset");
  expect(await contracts()).toEqual([]);
});
