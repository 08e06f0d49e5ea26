/** The used part of the package, which has no types. */
declare module "fs-native-extensions" {
  const extensions: {
    /** Takes an exclusive lock on an open file; `false` when another open file has it. */
    tryLock(file: number): boolean;
  };
  export default extensions;
}
