import SQL, { raw } from "sql-template-tag";
import { selectJoined } from "../queries/rows.js";
import type { IndexReads } from "../reads/index-reads.js";
import { jettonMasterRecord, jettonWalletRecord } from "../tables/jettons.js";
import { inOurForm, pageBy, readRows } from "./rows.js";
import { foreign } from "./tables.js";
import { accountBytes } from "./values.js";

const { jettonMasters, jettonWallets, mintlessJettonMasters } = foreign;

export const jettonReads: Pick<IndexReads, "listJettonMasters" | "listJettonWallets"> = {
  async listJettonMasters(queries, { addresses, admins }, page) {
    const by = [
      ["address", addresses],
      ["admin_address", admins],
    ] as const;
    const rows = await readRows(
      queries,
      jettonMasters,
      pageBy(jettonMasters, { by, order: raw("x.id"), page }),
    );
    return rows.map((m) => jettonMasterRecord.present({ m }));
  },

  /** Wallets of equal balance are in the order of their addresses, in the other direction than balances. */
  async listJettonWallets(queries, { addresses, owners, jettons, withBalance }, { sort, ...page }) {
    const list = pageBy(jettonWallets, {
      by: [
        ["address", addresses],
        ["owner", owners],
        ["jetton", jettons],
      ],
      where: [
        withBalance ? SQL`(x.balance > 0 or not x.mintless_is_claimed and x.mintless_amount > 0)` : undefined,
      ],
      order: raw(`x.balance ${sort}, ${accountBytes("x.address")} ${sort === "desc" ? "asc" : "desc"}`),
      page,
    });
    const masters = SQL`where x.address = w.foreign_jetton and not w.mintless_is_claimed and w.mintless_amount is not null`;
    const rows = await selectJoined(
      queries,
      { w: jettonWallets.columns },
      SQL`${inOurForm(jettonWallets, list, ["x.jetton as foreign_jetton"])} w
        left join lateral ${inOurForm(mintlessJettonMasters, masters)} p on true
        order by w.place`,
      { outer: { p: mintlessJettonMasters.columns } },
    );
    return rows.map((row) => jettonWalletRecord.present(row));
  },
};
