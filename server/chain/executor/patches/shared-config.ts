import { unknownBuild } from "./wasm-patch.js";

// Contracts take their configuration from the first one that has it: in C++ this is an optional with a shared pointer, which
// is copied here. The build has no function for that.
// Without: each contract reads it, which takes as long as fifty get-methods, mainnet's more than a millisecond.

/** Members of a contract: zero if it has a configuration, the address of that, and of the block that counts its owners. */
const places = { absence: 208, config: 212, owners: 216 } as const;
const wordBytes = 4;
/** Member of that block: how many owners there are besides the first one. */
const otherOwners = 4;
/** The configuration lies behind that block. */
const blockBytes = 16;

/** Throws unless a contract is the only owner of its configuration, which shows that the members are where they should be. */
export function checkConfigOf(memory: Buffer, contract: number): void {
  const [absence, config, owners] = membersOf(memory, contract);
  const others =
    owners + otherOwners <= memory.length - wordBytes && memory.readUInt32LE(owners + otherOwners);
  if (absence !== 0 || config - owners !== blockBytes || others !== 0) throw unknownBuild();
}

/** Gives the configuration of a contract to one that has none; it is freed with the last of its owners. */
export function shareConfig(memory: Buffer, from: number, to: number): void {
  const [, , owners] = membersOf(memory, from);
  memory.copy(memory, to + places.absence, from + places.absence, from + places.owners + wordBytes);
  memory.writeUInt32LE(memory.readUInt32LE(owners + otherOwners) + 1, owners + otherOwners);
}

function membersOf(memory: Buffer, contract: number): [absence: number, config: number, owners: number] {
  return [
    memory.readUInt32LE(contract + places.absence),
    memory.readUInt32LE(contract + places.config),
    memory.readUInt32LE(contract + places.owners),
  ];
}
