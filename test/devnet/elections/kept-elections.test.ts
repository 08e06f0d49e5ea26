import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { SetupError } from "../../../server/errors.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ElectingChain } from "../../helpers/elections/electing-chain.js";
import { rotate } from "../../helpers/elections/election-phases.js";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

type Elections = { on: boolean; participants: number; stake: string; set: { validators: object[] } };

const settings = { on: true, participants: 2, stake: 30_000n * ton };
const seed = new Uint8Array(32).fill(5);
const key = bytesToHex(new SigningKey(seed).publicKey);

it("election settings survive a restart", async () => {
  const data = temporaryFolder();
  const open = () => startDevnetService({ devnetElections: "short", data });
  const stake = String(settings.stake);
  const first = await open();
  await first.run("devnet.setElections", { participants: 2, stake });
  await first.run("devnet.addValidatorKey", { seed: bytesToHex(seed) });
  await first.run("devnet.setElections", { on: false });
  await first.close();
  const second = await open();
  onTestFinished(() => second.close());
  expect(await second.run("devnet.elections")).toMatchObject({ on: false, participants: 2, stake });
  await second.run("devnet.setElections", { on: true });
  await rotate(second);
  expect((await second.run<Elections>("devnet.elections")).set.validators).toHaveLength(2);
});

it.each([["in memory"], ["in a folder"]])("it stays when the chain goes back, %s", async (where) => {
  const electing = await ElectingChain.open(where === "in memory" ? {} : { directory: temporaryFolder() });
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

it("the keys are stored for the owner of the folder alone, each once", async () => {
  const directory = temporaryFolder();
  const first = await ElectingChain.open({ directory });
  for (let times = 0; times < 2; times++) await first.chain.keptElections.addKey(seed);
  await first.close();
  const path = join(directory, "elections.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, "utf8")).validator_keys).toEqual([bytesToHex(seed)]);
  const second = await ElectingChain.open({ directory });
  onTestFinished(() => second.close());
  expect(second.chain.validatorKeys.known(second.chain.masterchain)).toContain(key);
  expect(second.chain.operator!.settings.participants).toBe(3);
});

it("a devnet takes a thousand keys of others, and no end of them", async () => {
  const electing = await ElectingChain.open();
  onTestFinished(() => electing.close());
  const { keptElections } = electing.chain;
  const numbered = (number: number) => {
    const bytes = new Uint8Array(32);
    new DataView(bytes.buffer).setUint32(0, number);
    return bytes;
  };
  for (let number = 0; number < 1024; number++) await keptElections.addKey(numbered(number));
  await expect(keptElections.addKey(numbered(1024))).rejects.toThrow("has 1024 keys");
  await keptElections.addKey(numbered(7));
});

it.each([
  ["", "Unexpected end"],
  ['{"format":2}', "another format"],
  ['{"format":1,"settings":null,"validator_keys":["77"]}', "a key is invalid"],
  [
    '{"format":1,"settings":{"on":1,"participants":1,"stake":null},"validator_keys":[]}',
    "the settings are none",
  ],
])("a damaged file is refused, and the folder is free again: %s", async (text, reason) => {
  const directory = temporaryFolder();
  await (await ElectingChain.open({ directory })).close();
  const path = join(directory, "elections.json");
  writeFileSync(path, text);
  const opened = ElectingChain.open({ directory });
  await expect(opened).rejects.toThrow(SetupError);
  await expect(opened).rejects.toThrow(reason);
  writeFileSync(path, '{"format":1,"settings":null,"validator_keys":[]}');
  await (await ElectingChain.open({ directory })).close();
});
