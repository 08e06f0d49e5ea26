import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { KeptElections } from "../../../server/devnet/elections/kept-elections.js";
import { SetupError } from "../../../server/errors.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ElectingChain } from "../../helpers/elections/electing-chain.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const settings = { on: true, participants: 2, stake: 30_000n * ton };
const seed = new Uint8Array(32).fill(5);
const key = bytesToHex(new SigningKey(seed).publicKey);

it("election settings and keys stay when the chain goes back", async () => {
  const electing = await ElectingChain.open();
  onTestFinished(() => electing.close());
  const { chain } = electing;
  await electing.rotate();
  const { seqno } = chain.head;
  await chain.keptElections.change(chain.operator!, settings);
  await chain.keptElections.addKey(seed);
  await electing.rotate();
  await chain.exclusive((revert) => revert(seqno));
  expect(chain.operator!.settings).toEqual(settings);
  expect(chain.validatorKeys.known(chain.masterchain)).toContain(key);
  await electing.rotate();
  expect(electing.set.total).toBe(2);
});

it("they survive a restart, with each key once, stored for the owner of the folder alone", async () => {
  const directory = temporaryFolder();
  const { chain, ...first } = await opened(directory);
  await chain.keptElections.change(chain.operator!, settings);
  for (let times = 0; times < 2; times++) await chain.keptElections.addKey(seed);
  await first.close();
  const path = join(directory, "elections.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, "utf8");
  expect(JSON.parse(text).validator_keys).toEqual([bytesToHex(seed)]);

  // A damaged file is refused, and the folder is free again.
  writeFileSync(path, "{}");
  await expect(ElectingChain.open({ directory })).rejects.toThrow(SetupError);
  writeFileSync(path, text);
  const second = await opened(directory);
  onTestFinished(second.close);
  expect(second.chain.operator!.settings).toEqual(settings);
  expect(second.chain.validatorKeys.known(second.chain.masterchain)).toContain(key);
});

async function opened(directory: string) {
  const electing = await ElectingChain.open({ directory });
  return { chain: electing.chain, close: () => electing.close() };
}

/** Election settings of a devnet whose file has this text. Its keys sign nothing. */
function keptIn(text?: string): KeptElections {
  const storage = { readElections: async () => text, writeElections: async () => {} };
  return new KeptElections(storage, { operator: undefined, keys: { add: () => {} } as never });
}

it("a devnet takes a thousand keys of others, and no end of them", async () => {
  const kept = keptIn();
  const numbered = (number: number) => {
    const bytes = new Uint8Array(32);
    new DataView(bytes.buffer).setUint32(0, number);
    return bytes;
  };
  for (let number = 0; number < 1024; number++) await kept.addKey(numbered(number));
  await expect(kept.addKey(numbered(1024))).rejects.toThrow("has 1024 keys");
  await kept.addKey(numbered(7));
});

it.each([
  ["", "Unexpected end"],
  ['{"format":2}', "another format"],
  ['{"format":1,"settings":null,"validator_keys":["77"]}', "a key is invalid"],
  [
    '{"format":1,"settings":{"on":1,"participants":1,"stake":null},"validator_keys":[]}',
    "the settings are none",
  ],
])("a damaged file is refused: %s", async (text, reason) => {
  const restored = keptIn(text).restore();
  await expect(restored).rejects.toThrow(SetupError);
  await expect(restored).rejects.toThrow(reason);
});
