import { fileURLToPath } from "node:url";
import { expect, inject, it } from "vitest";
import { CuttingProxy } from "../../helpers/peers/cutting-proxy.js";
import { fetchJson } from "../harness/fetch-json.js";
import { useCargo, useGo } from "../harness/packages.js";
import { describeTool, type Workshop } from "../harness/workshop.js";
import { versions } from "../versions.js";

// Clients of JSON-RPC that send parameters by position, in batches, and read subscriptions, over a WebSocket.

const does = "calls by position, batches of 100 and 101, a subscription over cut connections";
const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { url, wallets } = inject("devnet");
const account = wallets["Ann"]!.address;

describeTool(`go-ethereum ${versions.go["github.com/ethereum/go-ethereum"]}`, ["go"], (workshop) => {
  it(does, async () => {
    workshop.copy(sourceOf("go_ethereum.go"), "main.go");
    await useGo(workshop, "github.com/ethereum/go-ethereum");
    await workshop.run("go", ["vet", "."]);
    await expectAnswers(workshop, "go", ["run", "."]);
  });
});

describeTool(`jsonrpsee ${versions.crates.jsonrpsee}`, ["cargo"], (workshop) => {
  it(does, async () => {
    workshop.copy(sourceOf("jsonrpsee.rs"), "main.rs");
    useCargo(workshop, "jsonrpsee-calls", {
      anyhow: [],
      jsonrpsee: ["ws-client"],
      serde_json: [],
      tokio: ["macros", "rt"],
    });
    await expectAnswers(workshop, "cargo", ["run", "--quiet"]);
  });
});

const cuts = 3;

async function expectAnswers({ run }: Workshop, command: string, args: readonly string[]): Promise<void> {
  // Each of the first connections is cut inside of the events.
  let connections = 0;
  const proxy = await CuttingProxy.before(Number(new URL(url).port), () =>
    ++connections > cuts ? Number.POSITIVE_INFINITY : 20_000,
  );
  const socket = (origin: string) => `${origin.replace("http", "ws")}/jsonRPC`;
  const env = { TON_WS: socket(url), TON_CUT_WS: socket(proxy.url), TON_ACCOUNT: account };
  const told = JSON.parse(await run(command, args, env));

  const { result: balance } = await fetchJson<{ result: string }>(url, "/api/v2/getAddressBalance", {
    address: account,
  });
  const { jetton_wallets } = await fetchJson<{ jetton_wallets: unknown[] }>(url, "/api/v3/jetton/wallets", {
    owner_address: account,
  });
  const { transactions } = await fetchJson<{ transactions: { hash: string }[] }>(
    url,
    "/api/v3/transactions",
    {
      account,
      sort: "asc",
      limit: "1000",
    },
  );
  expect(told).toEqual({
    balance,
    jettons: jetton_wallets.length,
    refusal: -32602,
    batch: { [balance]: 100 },
    oversize: { "-32600": 101 },
    after: balance,
    transactions: transactions.map(({ hash }) => hash),
    connections: cuts + 1,
  });
  expect(proxy.cuts).toBe(cuts);
}
