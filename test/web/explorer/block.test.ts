import { expect, it } from "vitest";
import { RpcError } from "../../../client/errors.js";
import type { ViewContext } from "../../../server/web/explorer/view.js";
import { showBlock } from "../../../server/web/explorer/views/block.js";

/** Shows a block whose header cannot be read, and returns the page. */
async function pageFor(error: RpcError): Promise<string> {
  const root = { innerHTML: "" };
  const params = { workchain: "-1", shard: "8000000000000000", seqno: "7" };
  const context = { root, params, title() {}, call: () => Promise.reject(error) };
  await showBlock(context as unknown as ViewContext);
  return root.innerHTML;
}

it("says that a block does not exist if the liteserver does not have it", async () => {
  const body = { error: { data: { kind: "liteserver-error", not_found: true } } };
  const page = await pageFor(new RpcError("liteserver-error", "block is not in db", { status: 500, body }));
  expect(page).toContain("No such block");
});

it("rejects with the failure of a call for a block, with or without an answer", async () => {
  const unanswered = new RpcError("network", "no answer");
  await expect(pageFor(unanswered)).rejects.toBe(unanswered);
  const body = { error: { data: { kind: "liteserver-error" } } };
  const refused = new RpcError("liteserver-error", "too many queries", { status: 500, body });
  await expect(pageFor(refused)).rejects.toBe(refused);
});
