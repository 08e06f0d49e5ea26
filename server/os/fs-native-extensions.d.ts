/** The part of the package that is used; it has no types of its own. */
declare module "fs-native-extensions" {
  const extensions: {
    /** Takes an exclusive lock on an open file; `false` when another open file has it. */
    tryLock(file: number): boolean;
  };
  export default extensions;
}
