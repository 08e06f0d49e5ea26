/** For `catch` of a call of the file system: the value for a file or folder that is not there. Other errors are thrown. */
export function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}
