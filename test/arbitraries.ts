import fc from 'fast-check';

const codePoint = fc.oneof(
  fc.nat({ max: 0x7f }),
  fc.nat({ max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0xffff }),
  fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
);

/**
 * Generates text of any code points except lone surrogates. The `binary` unit of fast-check first builds a table of all code points, which takes 2 s.
 */
export function anyText(constraints: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.array(codePoint, constraints).map((points) => String.fromCodePoint(...points));
}
