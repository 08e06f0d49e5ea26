import { expect, it } from "vitest";
import { type PatchName, patches } from "../../../../server/chain/executor/patches/patches.js";
import { readBuild } from "../../../../server/chain/executor/patches/wasm-build.js";
import {
  depthExport,
  leftValuesExport,
  patchEmulator,
  vmLogExport,
} from "../../../../server/chain/executor/patches/wasm-patch.js";
import { variants } from "../../../helpers/effort.js";

const build = () => readBuild().bytes;
const names = Object.keys(patches) as PatchName[];
const places = names.flatMap((name) => patches[name].map((patch, index) => ({ name, index, ...patch })));
const unknown = "unknown build of the emulator";
const patched = patchEmulator(build());

it.each(places)("$name, place $index, has codes of one length, one of which is in the build", (place) => {
  const { find, replace } = place;
  expect(replace).toHaveLength(find.length);
  const bytes = build();
  const at = bytes.indexOf(Buffer.from(find));
  expect(at).toBeGreaterThan(0);
  expect(bytes.lastIndexOf(Buffer.from(find))).toBe(at);
  expect(patched.includes(Buffer.from(find))).toBe(false);
});

it.each(variants(places.slice(0, 2), places.slice(2)))(
  "a build without $name, place $index, is refused",
  ({ find }) => {
    const bytes = build();
    const at = bytes.indexOf(Buffer.from(find));
    bytes[at + find.length - 1]! ^= 1;
    expect(() => patchEmulator(bytes)).toThrow(unknown);
  },
);

it("A build in which a place occurs twice is refused", () => {
  const { find } = places[0]!;
  expect(() => patchEmulator(Buffer.concat([build(), Buffer.from(find)]))).toThrow(unknown);
});

it("A patch that is omitted leaves its places unchanged", () => {
  for (const name of names) {
    const patched = patchEmulator(build(), [name]);
    for (const { find } of patches[name]) expect(patched.includes(Buffer.from(find))).toBe(true);
  }
});

it("The patched build exports its configuration", () => {
  for (const name of [depthExport, leftValuesExport, vmLogExport])
    expect(patched.includes(Buffer.from(name))).toBe(true);
});

it("Bytes that are no build are refused", () => {
  expect(() => patchEmulator(Buffer.alloc(100))).toThrow(unknown);
});
