/** The part of `pg` that is used besides what its types declare. */
declare module "pg/lib/utils.js" {
  const utils: {
    /** A value of a statement as it is sent: as text, or as bytes. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
