/** Downloads a file to the user's machine. */
export function downloadFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  const url = URL.createObjectURL(content);
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
