import { expect, test } from "vitest";
import { validatorListHash } from "../../../../../../shared/ton/proofs/verify/trust/validators.js";

const filled = (byte: number) => new Uint8Array(32).fill(byte);

// The hash was computed by another implementation.
test("the hash of a validator list covers session, keys, weights and addresses", () => {
  const validators = [
    { publicKey: filled(1), weight: 10n },
    { publicKey: filled(2), weight: 2n ** 63n + 5n, adnlAddress: filled(3) },
  ];
  expect(validatorListHash(0xfffffff0, validators)).toBe(3_124_670_154);
});
