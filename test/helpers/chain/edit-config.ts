import type { Devnet } from "../../../server/devnet/devnet.js";
import { configAddress } from "../../../server/devnet/genesis/initial-config.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";

/** Sets a parameter of a devnet's configuration, in a key block. */
export async function setConfigParam(
  { api, controls }: Pick<Devnet, "api" | "controls">,
  number: number,
  value: Cell,
): Promise<void> {
  const reader = new ChainReader({
    lite: api,
    head: new ChainHead(await api.getMasterchainInfo(), Date.now),
  });
  const data = (await reader.account(reader.last, configAddress)).data!.parse();
  const config = decode(ConfigDictionary, data.loadRef()).set(number, value);
  const changed = beginCell().storeRef(encode(ConfigDictionary, config)).storeSlice(data).endCell();
  const { workchain, hash } = configAddress;
  await controls.setData({ workchain, id: hash }, serializeBoc(changed));
}
