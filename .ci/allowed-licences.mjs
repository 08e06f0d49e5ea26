/** Licences under which a package may be part of what users install. */
export const allowedLicences = new Set([
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "Unlicense",
  "0BSD",
]);
