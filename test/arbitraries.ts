import fc from 'fast-check';

const codePoint = fc.oneof(
  fc.nat({ max: 0x7f }),
  fc.nat({ max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0xffff }),
  fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
);

/** Text of any code points but half surrogates. The library's own `binary` unit builds a table of all of them first, for two seconds. */
export function anyText(constraints: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.array(codePoint, constraints).map((points) => String.fromCodePoint(...points));
}
