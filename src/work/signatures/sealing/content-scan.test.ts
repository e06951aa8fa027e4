import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scanContent } from './content-scan.ts';

const scan = (text: string) => scanContent(Buffer.from(text, 'latin1'));

/** An operator with its operands and its effect on the number of open states and sequences. */
type Piece = { text: string; saved?: number; marked?: number };
const inert = fc.constantFrom(
  '0.5 g',
  '1 0 0 1 5 5 cm',
  '/Im0 Do',
  '[(Q) -20 (q \\) Q)] TJ',
  '<5120> Tj',
  '(a (Q) \\\\) Tj',
  '% q Q BMC',
  '/Q gs',
);
const image = fc
  .uint8Array({ maxLength: 30 })
  .filter((data) => !/[\0\t\n\f\r ]EI(?![^\0\t\n\f\r ()<>[\]{}/%])/.test(` ${Buffer.from(data).toString('latin1')} `))
  .map((data) => `BI /W 1 /H 1 ID ${Buffer.from(data).toString('latin1')}\nEI`);
const pieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.oneof(
    inert.map((text): Piece => ({ text })),
    image.map((text): Piece => ({ text })),
    fc.constantFrom<Piece>(
      { text: 'q', saved: 1 },
      { text: 'Q', saved: -1 },
      { text: '/P <</MCID 3/T(BMC)>> BDC', marked: 1 },
      { text: '/P <</T(a > Q) /U<</V(>> q)>>>> BDC', marked: 1 },
      { text: '/Artifact BMC', marked: 1 },
      { text: 'EMC', marked: -1 },
    ),
  ),
  { maxLength: 40 },
);

test('open states and sequences are counted, with any text in strings, names, comments and images', () => {
  fc.assert(
    fc.property(pieces, (all) => {
      const text = all.map((piece) => `${piece.text}\n`).join('');
      let [saved, marked, excess] = [0, 0, 0];
      for (const piece of all) {
        if (piece.saved === -1 && saved === 0) excess += 1;
        else saved += piece.saved ?? 0;
        marked = Math.max(0, marked + (piece.marked ?? 0));
      }
      const state = scan(text);
      assert.deepEqual([state.saved, state.marked, state.excess.length, state.unfinished], [saved, marked, excess, false], text);
      for (const at of state.excess) assert.equal(text[at], 'Q');
    }),
  );
});

test('an unfinished string, dictionary, image or operand is detected, with the content before it', () => {
  const before = 'q 1 g\n';
  for (const tail of ['(Pay', '(a (b)', '<41', '/P <</MCID', '10 20', 'BI /W 1 /H 1', 'BI /W 1 ID \u00ff\u00fe EIx', '[(a)']) {
    const state = scan(before + tail);
    assert.deepEqual([state.unfinished, state.end, state.saved], [true, before.trimEnd().length, 1], tail);
  }
  assert.equal(scan(`${before}% (not begun`).unfinished, false);
});

test('an unknown operator and an operator with too few operands are malformed', () => {
  for (const text of ['/F1 Tf', 'Tj', '1 0 0 1 5 cm', '1 0 rg', 'ETBT', '/F1 1e2 Tf', 'q 10 20 Td ET 5 Td', 'zz'])
    assert.ok(scan(text).malformed, text);
  const sound = '/F1 -.5 Tf [(a) 2] TJ [] 0 d /P <</MCID 0>> BDC EMC /C0 cs scn 1 2 3 sc 1 0 0 1 +5 0. cm true BX EX (a) \' 1 2 (a) "';
  assert.equal(scan(sound).malformed, false);
  assert.equal(scan('BI /W 1 /H 1 /I true ID \u00ff e2\nEI Q').malformed, false);
});

test('any bytes are read to their end in linear time', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const { end, saved, marked, excess } = scanContent(bytes);
      assert.ok(end <= bytes.length && saved >= 0 && marked >= 0 && excess.every((at) => bytes[at] === 'Q'.charCodeAt(0)));
    }),
  );
  for (const text of ['(', '(a', '<', 'E', ' ID E', 'BI ID ', '[', '\\('])
    scanContent(Buffer.from(text.repeat(2_000_000 / text.length), 'latin1'));
});
