// Error correction of QR codes (ISO/IEC 18004): Reed-Solomon codes over GF(256) with the polynomial 0x11d.

const fieldPolynomial = 0x11d;

function multiplied(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7 ? fieldPolynomial : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** Coefficients of the product of (x - 2^i) for `degree` factors, without the leading one. */
function generator(degree: number): number[] {
  let coefficients = [1];
  let root = 1;
  for (let at = 0; at < degree; at++) {
    const next = [...coefficients, 0];
    for (const [index, each] of coefficients.entries()) next[index + 1]! ^= multiplied(each, root);
    coefficients = next;
    root = multiplied(root, 2);
  }
  return coefficients.slice(1);
}

/** The remainder of the data by the generator: the codewords that correct errors. */
export function correctionOf(data: readonly number[], length: number): number[] {
  const divisor = generator(length);
  const remainder = new Array<number>(length).fill(0);
  for (const byte of data) {
    const factor = byte ^ remainder.shift()!;
    remainder.push(0);
    for (const [index, each] of divisor.entries()) remainder[index]! ^= multiplied(each, factor);
  }
  return remainder;
}
