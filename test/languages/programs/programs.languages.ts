import { fileURLToPath } from "node:url";
import { expect, inject, it } from "vitest";
import { fetchJson } from "../harness/fetch-json.js";
import { expectAnswers, expectNineAnswers, nineCalls } from "../harness/nine-calls.js";
import { useMaven, usePython } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";

// Programs that were written for TON Center, with the URL that README.md names for each.

const { url, key } = inject("devnet");
const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const environment = async (): Promise<Record<string, string>> => ({ ...(await nineCalls()), TON_KEY: key });

describeTool(`toncenter ${versions.pypi.toncenter} (Python)`, ["python3"], (workshop) => {
  it("makes nine calls", async () => {
    await usePython(workshop, "toncenter");
    const printed = await workshop.run(
      "venv/bin/python",
      [sourceOf("toncenter_calls.py")],
      await environment(),
    );
    await expectNineAnswers(printed);
  });

  it("streams transactions by both transports", async () => {
    await usePython(workshop, "toncenter");
    const env = await environment();
    const streamed = JSON.parse(
      await workshop.run("venv/bin/python", [sourceOf("toncenter_streaming.py")], env),
    );
    const { transactions } = await fetchJson<{ transactions: { hash: string }[] }>(
      url,
      "/api/v3/transactions",
      {
        account: env["TON_OTHER"]!,
        limit: "1",
      },
    );
    const hashes = transactions.map(({ hash }) => hash);
    expect(streamed).toEqual([hashes, hashes]);
  });
});

describeTool(`tonutils ${versions.pypi.tonutils} (Python)`, ["python3"], (workshop) => {
  it("reads", async () => {
    await usePython(workshop, "tonutils");
    const printed = await workshop.run(
      "venv/bin/python",
      [sourceOf("tonutils_calls.py")],
      await environment(),
    );
    await expectAnswers(printed, ["balance", "supply"]);
  });
});

describeTool(`ton4j ${versions.maven["org.ton.ton4j:toncenter"]} (Java)`, ["javac", "mvn"], (workshop) => {
  it("reads", async () => {
    workshop.copy(sourceOf("Ton4jCalls.java"));
    const classpath = await useMaven(workshop, "org.ton.ton4j:toncenter");
    const printed = await workshop.run("java", ["-cp", classpath, "Ton4jCalls.java"], await environment());
    await expectAnswers(printed, ["seqno", "balance", "supply"]);
  });
});
