import { expect, it } from "vitest";
import { checkConfigOf, shareConfig } from "../../../../server/chain/executor/patches/shared-config.js";

/** Memory with a contract at 0 that has a configuration, and room for another one at 512. */
function memoryWith({ absence = 0, config = 1040, owners = 1024, others = 0 } = {}): Buffer {
  const memory = Buffer.alloc(2048);
  memory.writeUInt32LE(absence, 208);
  memory.writeUInt32LE(config, 212);
  memory.writeUInt32LE(owners, 216);
  if (owners < 2000) memory.writeUInt32LE(others, owners + 4);
  return memory;
}

it("A configuration that is shared has one more owner", () => {
  const memory = memoryWith();
  checkConfigOf(memory, 0);
  memory.writeUInt32LE(77, 512 + 208);
  shareConfig(memory, 0, 512);
  expect([208, 212, 216].map((place) => memory.readUInt32LE(512 + place))).toEqual([0, 1040, 1024]);
  expect(memory.readUInt32LE(1024 + 4)).toBe(1);
});

it.each([
  ["none", { absence: 77 }],
  ["one elsewhere", { config: 1056 }],
  ["one behind the memory", { config: 4112, owners: 4096 }],
  ["one with other owners", { others: 1 }],
])("A build whose contract has, by its members, %s is refused", (_, members) => {
  expect(() => checkConfigOf(memoryWith(members), 0)).toThrow("unknown build of the emulator");
});
