import { serializeBoc } from "../../../server/cells/boc.js";
import { beginCell } from "../../../server/cells/builder.js";
import type { Cell } from "../../../server/cells/cell.js";
import { ChainHead } from "../../../server/chain/read/head.js";
import { ChainReader } from "../../../server/chain/read/reader.js";
import type { Devnet } from "../../../server/devnet/devnet.js";
import { configAddress } from "../../../server/devnet/genesis/initial-config.js";
import { decode, encode } from "../../../server/tlb/codec.js";
import { ConfigDictionary } from "../../../server/tlb/config-params.js";

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
