import { describe, expect, it } from "vitest";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { Wallet } from "../../../server/devnet/wallets/wallet.js";
import { tgWalletIn } from "../../../server/web/explorer/tg-wallet.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { readTgWallet as readCells } from "../../../shared/ton/contracts/tg-wallet.js";
import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { tgWalletCodeHash } from "../../../shared/values/tg-wallet.js";

const key = new SigningKey(new Uint8Array(32).fill(1));
const code = "te6cckEBAQEAGgAAMP8AIJgh10mDCLnyQN+Ahfgz0O0eIO1T2WlCfjk=";
const bag = (cell: Cell) => bytesToBase64(serializeBoc(cell));

describe("the data of Telegram's wallet", () => {
  it("are read without a get-method, as the service reads them", () => {
    const { code, data } = new Wallet("tg", key).init;
    const expected = { revision: 0, seqno: 0, walletId: 0x7fff7f11 };
    expect(tgWalletIn({ code: bag(code!), data: bag(data!) })).toEqual({
      ...expected,
      publicKey: bytesToHex(key.publicKey),
    });
    expect(readCells(data!)).toEqual({ ...expected, publicKey: key.publicKey });
    expect([code!.hashHex(), contractCode("tg wallet").hashHex()]).toEqual(Array(2).fill(tgWalletCodeHash));
  });

  it("are those of its own code alone", () => {
    const data = bag(new Wallet("tg", key).init.data!);
    const small = bag(beginCell().storeUint(7, 192).endCell());
    for (const other of [small, bag(contractCode("wallet v3 r2")), "AA==", ""])
      expect(tgWalletIn({ code: other, data })).toBeUndefined();
  });

  it("may have more in later revisions, but not less", () => {
    const later = beginCell().storeUint(3, 8).storeUint(9, 32).storeUint(1, 32).storeUint(5, 300).endCell();
    expect(tgWalletIn({ code, data: bag(later) })).toMatchObject({ revision: 3, seqno: 9, walletId: 1 });
    expect(readCells(later)).toMatchObject({ revision: 3, seqno: 9, walletId: 1 });
    const shorter = beginCell().storeUint(0, 320).endCell();
    expect([tgWalletIn({ code, data: bag(shorter) }), readCells(shorter)]).toEqual([undefined, undefined]);
    expect(tgWalletIn({ code, data: "AA==" })).toBeUndefined();
  });
});
