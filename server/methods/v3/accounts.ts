import type { Handlers } from "../../../shared/methods/define.js";
import type { accountMethods } from "../../../shared/methods/v3/accounts.js";
import { Address } from "../../../shared/values/address.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { presentAccountState, presentWalletState } from "../../present/v3/account.js";
import { noAddress, presentEntry } from "../../present/v3/address-book.js";
import { type IndexDeps, readBookRows, readMetadata, withExtras } from "../../present/v3/answer-extras.js";
import { CodeHashes } from "../../present/v3/code-book.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { AccountRow } from "../../store/queries/accounts/accounts.js";
import { reads } from "../../store/reads/index-reads.js";
import { readStorages } from "./account-storage.js";

type AccountDeps = IndexDeps & { artifacts: Pick<ArtifactStore, "abisOf"> };

export const accountHandlers: Handlers<typeof accountMethods, AccountDeps> = {
  async accountStates({ include_boc, include_storage, ...params }, { index, book, artifacts }, call) {
    const cells = include_boc ? "both" : include_storage ? "data" : "none";
    const { rows, extras } = await index.read(call, async (queries) => {
      const asked = { addresses: params.address, codeHashes: params.code_hash };
      const rows = await reads.readAccounts(queries, asked, cells);
      return { rows, extras: await withExtras({}, addressesIn(rows), { queries, call, book }) };
    });
    // Files of ABIs change between blocks.
    if (include_storage) call.provisional = true;
    const storages = include_storage ? await readStorages(rows, artifacts, call) : [];
    const accounts = rows.map((row, i) => ({
      ...presentAccountState(include_boc ? row : { ...row, data_boc: null }),
      ...storages[i],
    }));
    const codes = new CodeHashes();
    for (const { code_hash } of rows) codes.add(code_hash);
    return { accounts, ...extras, ...codes.book(book) };
  },

  walletStates: ({ address }, { index, book }, call) =>
    index.read(call, async (queries) => {
      const rows = await reads.readAccounts(queries, { addresses: address }, "data");
      const wallets = rows.map(presentWalletState);
      return withExtras({ wallets }, addressesIn(rows), { queries, call, book });
    }),

  addressBook: ({ address: texts }, { index, book }, call) =>
    index.read(call, async (queries) => {
      const written = texts.map((text) => ({ text, address: Address.read(text.trim())?.address }));
      const accounts = written.flatMap(({ address }) => (address ? [addressToBytes(address)] : []));
      const known =
        accounts.length > 0 ? await readBookRows(queries, accounts, lastRead) : new Map<string, never>();
      return Object.fromEntries(
        written.map(({ text, address }) => [
          text,
          address ? presentEntry(address, known.get(address.toRawUpper()), book) : noAddress,
        ]),
      );
    }),

  metadata: ({ address: texts }, { index, book }, call) => {
    const accounts = texts.flatMap((text) => Address.read(text.trim())?.address ?? []).map(addressToBytes);
    if (accounts.length === 0) return {};
    return index.read(call, (queries) => readMetadata(queries, accounts, book.tokens, lastRead));
  },
};

const lastRead = { isLast: true };

function addressesIn(rows: readonly AccountRow[]): Set<string> {
  return new Set(rows.map(({ address }) => address));
}
