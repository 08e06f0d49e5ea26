import { MadeTypes } from "./made-abi.js";

/** A catalogue of contracts with ABIs of about 16 kB, as those of the published catalogue are. */
export function madeCatalogue(contracts: number): object {
  return { schemaVersion: 1, contracts: Array.from({ length: contracts }, (_, i) => contract(i)) };
}

function contract(number: number): object {
  const types = new MadeTypes();
  const [amount, owner, payload] = ["coins", "address", "cell"].map((kind) => types.type({ kind }));
  const messages = Array.from({ length: 30 }, (_, i) =>
    types.struct(
      `Message${number}x${i}`,
      Object.fromEntries(
        [amount, owner, payload, amount, owner].map((type, at) => [`member${at}Of${i}`, type!]),
      ),
      { num: number * 64 + i + 1, len: 32 },
    ),
  );
  return {
    id: `contract-${number}`,
    displayName: `Contract ${number}`,
    hashes: [(number + 1).toString(16).padStart(64, "0")],
    knownAddresses: [],
    links: [{ kind: "source", title: "Source", url: `https://example.org/${number}` }],
    compilerAbi: types.abi({
      contract_name: `Contract${number}`,
      incoming_messages: messages.map((body_ty_idx) => ({ body_ty_idx })),
    }),
  };
}
