import { expect, onTestFinished, test } from "vitest";
import { serveChain } from "../../../server/chain/serve/serve.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { Address } from "../../../shared/values/address.js";
import { openTestChain, ton } from "../../helpers/chain/devnet.js";
import { liteserversOf, originFor } from "../../helpers/chain/fork-origin.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const count = 1000;

function address(number: number): Address {
  const hash = new Uint8Array(32);
  new DataView(hash.buffer).setUint32(0, number * 4_000_000);
  return new Address(0, hash);
}

test("an origin gives 1,000 accounts, each with one request, and has them again without it", async () => {
  const storage = new ChainStore();
  const addresses = Array.from({ length: count }, (_, number) => address(number));
  const balances = addresses.map((each, number) => ({ address: each, balance: BigInt(number + 1) * ton }));
  const chain = await openTestChain({ accounts: balances, storage });
  onTestFinished(() => chain.close());
  await chain.step();
  let most = 0;
  let running = 0;
  const served = serveChain(new ServedDevnet(storage), {
    methods: {
      runMethod: () => Promise.reject(new Error("nothing is run")),
      randomBytes: (n) => new Uint8Array(n),
    },
    sendMessage: () => Promise.reject(new Error("nothing is sent")),
    now: () => 1_800_000_000,
  });
  const api: typeof served = {
    ...served,
    async getAccountState(request, call) {
      most = Math.max(most, ++running);
      try {
        return await served.getAccountState(request, call);
      } finally {
        running--;
      }
    },
  };
  const { config, stop } = await liteserversOf(api);
  const folder = temporaryFolder();
  const options = { kind: "liteservers", name: "the origin", config, folder, timeoutMs: 60_000 } as const;
  const origin = await originFor(options);
  const found = await Promise.all(addresses.map((each) => origin.account(each)));
  expect(found.map((each) => each?.account.value?.storage.balance.coins)).toEqual(
    balances.map(({ balance }) => balance),
  );
  expect(origin.status()).toMatchObject({ requests: count, failures: 0, waiting: 0 });
  expect(most).toBeLessThanOrEqual(64);
  await origin.close();
  await stop();
  const again = await originFor(options);
  const kept = addresses.map((each) => again.known(each));
  expect(
    kept.map((each) => each !== "unknown" && each.account?.account.value?.storage.balance.coins),
  ).toEqual(balances.map(({ balance }) => balance));
  expect(again.status().requests).toBe(0);
});
