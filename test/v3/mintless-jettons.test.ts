import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { addressToBytes } from "../../server/store/address-bytes.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Address } from "../../shared/values/address.js";
import { compile } from "../helpers/contracts/tolk.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { openDetectedDevnet, place, someAddress } from "../helpers/index/detection.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";

const [unclaimed, claimed, unclear, master, owner] = [1, 2, 3, 4, 5].map(someAddress);

const walletCode = (isClaimed: string) =>
  compile(`
    get fun get_wallet_data(): (int, address, address, cell) {
      return (0, address("${owner}"), address("${master}"), createEmptyCell());
    }
    get fun is_claimed(): ${isClaimed}`);

/** Confirms the wallet in its data. */
const masterCode = compile(`
  get fun get_wallet_address(of: address): address { return contract.getData().beginParse().loadAddress(); }`);

const addressCell = (address: Address) => beginCell().storeAddress(address).endCell();

type Listed = { address: string; mintless_info?: unknown };

describeDatabases("Wallets of a mintless jetton", (fresh) => {
  test("have an airdrop once its amount is known, until it is claimed", async () => {
    const devnet = await openDetectedDevnet();
    const { events, detection } = devnet;
    const database = await fresh();
    const index = () => indexAll(database, devnet.api, { events, detection });
    const code = await masterCode;
    const wallets = [
      [unclaimed, "int { return 0; }"],
      [claimed, "int { return -1; }"],
      [unclear, "int { throw 77; }"],
    ] as const;
    for (const [address, isClaimed] of wallets) {
      await place(devnet, master!, code, addressCell(address!));
      await place(devnet, address!, await walletCode(isClaimed));
      await index();
    }
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const list = async (query = "") => {
      const found = await app.result<{ jetton_wallets: Listed[] }>(
        `jetton/wallets?owner_address=${owner}${query}`,
      );
      return found.jetton_wallets.map(({ address, mintless_info }) => [address, mintless_info]);
    };
    const nothing = [unclaimed, claimed, unclear].map((address) => [address!.toRawUpper(), undefined]);
    expect(await list()).toEqual(nothing);
    expect(await list("&exclude_zero_balance=true")).toEqual([]);

    // The statements of an airdrop importer.
    const sql = database.sql();
    const masters = await sql.query(SQL`select * from mintless_jetton_masters`);
    expect(masters).toEqual([
      { address: Buffer.from(addressToBytes(master!)), is_indexed: false, custom_payload_api_uri: null },
    ]);
    await sql.query(SQL`
      update jetton_wallets set mintless_amount = 12345678901234567890, mintless_start_from = 100`);
    const info = { amount: "12345678901234567890", start_from: 100, expire_at: null };
    const airdrop = [unclaimed!.toRawUpper(), { ...info, custom_payload_api_uri: null }];
    expect(await list("&exclude_zero_balance=true")).toEqual([airdrop]);
    await sql.query(SQL`
      update mintless_jetton_masters set is_indexed = true, custom_payload_api_uri = array['https://claims.example']`);
    const [first, ...others] = await list();
    expect(first).toEqual([
      unclaimed!.toRawUpper(),
      { ...info, custom_payload_api_uri: ["https://claims.example"] },
    ]);
    expect(others).toEqual(nothing.slice(1));

    // A wallet that is recognised again keeps the importer's data, and hides them once it has claimed.
    await place(devnet, master!, code, addressCell(unclaimed!));
    await place(devnet, unclaimed!, await walletCode("int { return -1; }"));
    await index();
    expect(await list("&exclude_zero_balance=true")).toEqual([]);
    const [row] = await sql.query(SQL`
      select mintless_amount from jetton_wallets where address = ${addressToBytes(unclaimed!)}`);
    expect(row).toEqual({ mintless_amount: 12345678901234567890n });
  });
});
