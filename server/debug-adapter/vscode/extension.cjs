// The extension for Visual Studio Code: it starts the adapter for the folder that is open, and asks for the transaction.
"use strict";
const { dirname, join } = require("node:path");
const vscode = require("vscode");

const type = "tonwire";

/** Whether a configuration names what is debugged. */
function isWhole({ transaction, trace, message, getMethod }) {
  return [transaction, trace, message, getMethod].some((each) => each !== undefined);
}

/** Without a launch.json the editor gives an empty configuration. */
async function resolveDebugConfiguration(_folder, given) {
  const configuration = { type, request: "launch", name: "TON transaction", ...given };
  if (isWhole(configuration)) return configuration;
  const transaction = await vscode.window.showInputBox({
    prompt: "Hash of the transaction",
    ignoreFocusOut: true,
  });
  // Undefined ends the start.
  return transaction ? { ...configuration, transaction: transaction.trim() } : undefined;
}

/** The package of the project, or the one that this extension is from. */
function packageFor(folder) {
  try {
    return dirname(require.resolve("tonwire-server/package.json", { paths: [folder] }));
  } catch {
    return join(__dirname, "..");
  }
}

/** The editor does not ask where a configuration has debugServer. */
function createDebugAdapterDescriptor({ workspaceFolder }) {
  const cwd = workspaceFolder?.uri.fsPath ?? process.cwd();
  const main = join(packageFor(cwd), "dist", "server", "main.js");
  return new vscode.DebugAdapterExecutable("node", [main, "debug", "--stdio", "--project", cwd], { cwd });
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider(type, { resolveDebugConfiguration }),
    vscode.debug.registerDebugAdapterDescriptorFactory(type, { createDebugAdapterDescriptor }),
  );
};
