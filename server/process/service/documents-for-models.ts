import type { Documents } from "../../http/documents/documents.js";
import { readmeTexts } from "../../http/documents/readmes.js";
import type { DocumentSource } from "../../mcp/documents.js";

/** The documents of a service as resources of the Model Context Protocol. */
export function documentsForModels(documents: Documents): DocumentSource {
  const bringUpToDate = () => documents.edition();
  return {
    async texts() {
      await bringUpToDate();
      return [{ path: "methods", title: "All methods", text: documents.llms }, ...(await readmeTexts())];
    },
    async openRpc() {
      await bringUpToDate();
      return documents.openRpc;
    },
  };
}
