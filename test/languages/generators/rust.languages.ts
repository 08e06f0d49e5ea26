import { it } from "vitest";
import { writeDocuments } from "../harness/documents.js";
import { expectNineAnswers, nineCalls } from "../harness/nine-calls.js";
import { useCargo } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";
import { does, sourceOf, wrongAddress } from "./shared.js";

// Clients that progenitor, a macro of Rust, makes of both REST documents.

describeTool(`progenitor ${versions.crates.progenitor}`, ["cargo"], (workshop) => {
  it(does, async () => {
    await writeDocuments(workshop, "3.0");
    workshop.copy(sourceOf("progenitor.rs"), "main.rs");
    useCargo(workshop, "progenitor-calls", {
      anyhow: [],
      progenitor: [],
      "progenitor-client": [],
      // Reads the patterns of schemas.
      regress: [],
      reqwest: ["json", "query"],
      serde: ["derive"],
      serde_json: [],
      tokio: ["macros", "rt"],
    });
    const env = { ...(await nineCalls()), TON_WRONG_ADDRESS: wrongAddress };
    await expectNineAnswers(await workshop.run("cargo", ["run", "--quiet"], env), wrongAddress);
  });
});
