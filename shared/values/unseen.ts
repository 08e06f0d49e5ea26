/**
 * Characters of which a reader sees nothing: controls with line ends, formats such as direction marks and zero-width
 * characters, variation selectors, fillers, private and unassigned ones, halves of pairs, and letters that are drawn as
 * blanks. Texts of strangers can hide instructions in them, or look like other texts.
 */
export const unseen =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;
