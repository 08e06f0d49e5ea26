import { expect, test } from "vitest";
import { TimeSlice } from "../../server/chain/time-slice.js";
import { accountRows, addAccountRows } from "../../server/indexer/batch/store-batch.js";
import { absentAccount } from "../../server/indexer/decode/account.js";
import { keyOf } from "../../server/indexer/hash-key.js";
import { RowSet } from "../../server/store/copy/row-set.js";
import { readAccounts } from "../../server/store/queries/accounts/accounts.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { accountOf } from "../helpers/store/rows.js";

const cellOf = (text: string) => beginCell().storeBytes(Buffer.from(text)).endCell();

describeDatabases("The code of accounts", (fresh) => {
  test("is stored once, as the account has it even if it is a library that was resolved", async () => {
    const database = await fresh();
    const own = cellOf("a library reference");
    const code = { hash: own.hash(), cell: own };
    const addresses = ["a", "b"].map(accountOf);
    const rows = accountRows(
      addresses.map((address) => {
        const { state, ...account } = absentAccount(address);
        return { ...account, code, state: { ...state, account_status: 3, code_hash: code.hash } };
      }),
    );
    const resolved = { ...rows, codes: new Map([[keyOf(own.hash()), cellOf("the library")]]) };
    const set = new RowSet();
    await addAccountRows(set, resolved, new TimeSlice());
    await database.sql().transaction((transaction) => transaction.write(set.finish()));
    const read = await readAccounts(queriesOf(database), { addresses }, "both");
    const hashes = read.map(({ code_boc }) => parseBocRoot(Buffer.from(code_boc!, "base64")).hashHex());
    expect(hashes).toEqual([own.hashHex(), own.hashHex()]);
  });
});
