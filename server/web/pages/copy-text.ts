/** Copies the text to the clipboard and shows the outcome on the button for a moment. */
export async function copyText(text: string, button: HTMLElement): Promise<void> {
  const label = button.dataset["label"] ?? button.textContent ?? "";
  button.dataset["label"] = label;
  button.textContent = (await copied(text)) ? "Copied" : "Not allowed";
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
}

async function copied(text: string): Promise<boolean> {
  // The clipboard API exists in secure contexts only: https and localhost.
  if (!navigator.clipboard) return copiedBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copiedBySelection(text),
  );
}

function copiedBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "off-screen";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
