import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkpointText, isSignedBy, parseCheckpoint } from './checkpoint.ts';
import { addressDigest, canonicalJson } from './leaf.ts';
import { consistencyRanges, inclusionRanges, isConsistent, leafHash, type LeafRange, rootOfInclusion } from './merkle.ts';
import { parseNote, parseVerifierKey, verifierKey, verifierOf, verifies } from './note.ts';
import { appendEntries, MissingHash, parseTilePath, rangeHasher, tileIndexPath, tileKey, type Tiles } from './tiles.ts';

const sha = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const entry = (i: number) => sha(Buffer.from(`entry ${i}`));

/** The tree as RFC 9162 §2.1.1 defines it, by its own recursion and nothing else. */
function naive(entries: readonly Buffer[]): Buffer {
  if (entries.length === 0) return sha();
  if (entries.length === 1) return sha(Buffer.from([0]), entries[0] as Buffer);
  let k = 1;
  while (k * 2 < entries.length) k *= 2;
  return sha(Buffer.from([1]), naive(entries.slice(0, k)), naive(entries.slice(k)));
}

function naivePath(m: number, entries: readonly Buffer[]): Buffer[] {
  if (entries.length <= 1) return [];
  let k = 1;
  while (k * 2 < entries.length) k *= 2;
  return m < k
    ? [...naivePath(m, entries.slice(0, k)), naive(entries.slice(k))]
    : [...naivePath(m - k, entries.slice(k)), naive(entries.slice(0, k))];
}

function naiveProof(m: number, entries: readonly Buffer[], whole = true): Buffer[] {
  if (m === entries.length) return whole ? [] : [naive(entries)];
  let k = 1;
  while (k * 2 < entries.length) k *= 2;
  return m <= k
    ? [...naiveProof(m, entries.slice(0, k), whole), naive(entries.slice(k))]
    : [...naiveProof(m - k, entries.slice(k), false), naive(entries.slice(0, k))];
}

/** Appends in portions, as batches come, keeping every tile. */
function grow(entries: readonly Buffer[], portions: readonly number[]): Tiles {
  let tiles: Map<string, Buffer> = new Map();
  let size = 0;
  for (const portion of [...portions, entries.length]) {
    const next = entries.slice(size, size + portion);
    for (const { id, hashes } of appendEntries(tiles, size, next)) tiles.set(tileKey(id), hashes);
    size += next.length;
  }
  return tiles;
}

const all = Array.from({ length: 1_400 }, (_, i) => entry(i));
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: all.length }),
  fc.constantFrom(255, 256, 257, 511, 512, 513, 1_024),
);
const portions = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 });
const hashAll = (tiles: Tiles, ranges: readonly LeafRange[]) => ranges.map(rangeHasher(tiles));

test('the root of a tree grown in any portions is that of the definition', () => {
  fc.assert(
    fc.property(sizes, portions, (size, cut) => {
      const entries = all.slice(0, size);
      assert.deepEqual(rangeHasher(grow(entries, cut))([0, size]), naive(entries));
    }),
    { numRuns: 60 },
  );
});

test('inclusion proofs are those of the definition, verify, and verify for no other leaf, place or size', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), portions, (size, pick, other, cut) => {
      const [index, wrong] = [pick % size, other % size];
      // Tiles that have grown on prove the smaller tree as well.
      const tiles = grow(all, cut);
      const entries = all.slice(0, size);
      const proof = hashAll(tiles, inclusionRanges(index, size));
      assert.deepEqual(proof, naivePath(index, entries));
      const root = naive(entries);
      const leaf = leafHash(entry(index));
      assert.deepEqual(rootOfInclusion(index, size, leaf, proof), root);
      if (wrong !== index) {
        assert.notDeepEqual(rootOfInclusion(index, size, leafHash(entry(wrong)), proof), root);
        assert.notDeepEqual(rootOfInclusion(wrong, size, leaf, proof), root);
      }
      assert.notDeepEqual(rootOfInclusion(index, size, leaf, [...proof, root]), root);
      if (proof.length > 0) assert.notDeepEqual(rootOfInclusion(index, size, leaf, proof.slice(1)), root);
    }),
    { numRuns: 60 },
  );
});

test('consistency proofs are those of the definition, verify, and verify for no other root', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), (second, pick) => {
      const first = pick % (second + 1);
      const entries = all.slice(0, second);
      const proof = hashAll(grow(all, []), consistencyRanges(first, second));
      assert.deepEqual(proof, first === 0 ? [] : naiveProof(first, entries));
      const [from, to] = [
        { size: first, root: naive(all.slice(0, first)) },
        { size: second, root: naive(entries) },
      ];
      assert.ok(isConsistent(from, to, proof));
      const forged = Buffer.from(to.root).fill(7);
      assert.ok(!isConsistent({ ...from, root: forged }, to, proof));
      if (first > 0) assert.ok(!isConsistent(from, { ...to, root: forged }, proof));
      if (first < second) assert.ok(!isConsistent(to, from, proof));
      assert.ok(!isConsistent(from, to, [...proof, forged]));
    }),
    { numRuns: 80 },
  );
});

test('sizes next to powers of two, all of them: each proof verifies', () => {
  const tiles = grow(all, [100]);
  for (let size = 1; size <= 70; size += 1) {
    const root = naive(all.slice(0, size));
    for (let index = 0; index < size; index += 1)
      assert.deepEqual(rootOfInclusion(index, size, leafHash(entry(index)), hashAll(tiles, inclusionRanges(index, size))), root);
    for (let first = 1; first <= size; first += 1)
      assert.ok(
        isConsistent({ size: first, root: naive(all.slice(0, first)) }, { size, root }, hashAll(tiles, consistencyRanges(first, size))),
      );
  }
});

test('the tiles of a tree are those of the specification’s example of 70 000 entries, and a missing one is noticed', () => {
  const tiles = new Map<string, Buffer>();
  for (const { id, hashes } of appendEntries(
    new Map(),
    0,
    Array.from({ length: 70_000 }, () => entry(1)),
  ))
    tiles.set(tileKey(id), hashes);
  const count = (level: number) => [...tiles.keys()].filter((key) => key.startsWith(`${level}/`)).length;
  assert.deepEqual([count(0), count(1), count(2), count(3)], [274, 2, 1, 0]);
  const width = (key: string) => (tiles.get(key)?.length ?? 0) / 32;
  assert.deepEqual([width('0/273'), width('1/0'), width('1/1'), width('2/0')], [112, 256, 17, 1]);
  tiles.delete('1/1');
  assert.throws(() => rangeHasher(tiles)([0, 70_000]), MissingHash);
  assert.throws(
    () =>
      appendEntries(
        tiles,
        70_000,
        Array.from({ length: 256 }, () => entry(1)),
      ),
    MissingHash,
  );
});

test('a tile has one address', () => {
  assert.equal(tileIndexPath(1_234_067), 'x001/x234/067');
  assert.equal(tileIndexPath(0), '000');
  assert.deepEqual(parseTilePath('0/x001/x234/067'), { level: 0, n: 1_234_067, width: 256 });
  assert.deepEqual(parseTilePath('entries/000.p/7'), { level: -1, n: 0, width: 7 });
  for (const wrong of [
    '0/1',
    '00/000',
    '64/000',
    '0/x000/001',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/01',
    '0/000/',
    '-1/000',
    'entries/x01/001',
    '0/001/000',
    '',
  ])
    assert.equal(parseTilePath(wrong), undefined, wrong);
  fc.assert(
    fc.property(fc.maxSafeNat(), (n) => {
      if (n < 1e15) assert.equal(parseTilePath(`3/${tileIndexPath(n)}`)?.n, n);
    }),
  );
});

test('the note of the specification verifies by its key, and no other text does', () => {
  const note = [
    'This is an example message.',
    '',
    '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=',
    '',
  ].join('\n');
  const verifier = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const parsed = parseNote(note);
  assert.ok(parsed?.signatures[0]);
  assert.ok(verifies(verifier, parsed.text, parsed.signatures[0]));
  assert.ok(!verifies(verifier, parsed.text.replace('example', 'Example'), parsed.signatures[0]));
  assert.throws(() => parseVerifierKey('example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'), /id/);
});

test('an invalid note or checkpoint is rejected', () => {
  const good = '— a AAAAAAAAAAA=\n';
  for (const wrong of [
    '',
    'text\n',
    `text\n${good}`,
    `text\n\n${good.trimEnd()}`,
    `text\n\n- a AAAAAAAAAAA=\n`,
    `te\u0001xt\n\n${good}`,
    'text\n\n— a AA\n',
    'text\n\n— a+b AAAAAAAAAAA=\n',
  ])
    assert.equal(parseNote(wrong), undefined, JSON.stringify(wrong));
  const root = Buffer.alloc(32).toString('base64');
  assert.equal(parseCheckpoint(`o\n12\n${root}\n\n${good}`)?.size, 12);
  for (const wrong of [`o\n012\n${root}\n`, `o\n-1\n${root}\n`, `o\n1\n${root.slice(4)}\n`, `\n1\n${root}\n`, `o\n1\n`])
    assert.equal(parseCheckpoint(`${wrong}\n${good}`), undefined, JSON.stringify(wrong));
});

test('an invalid signature under a known key invalidates the whole checkpoint', () => {
  const key = generateKeyPairSync('ed25519');
  const raw = Buffer.from(key.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const text = checkpointText('log.example', { size: 0, root: sha() });
  const verifier = parseVerifierKey(verifierKey('log.example', 1, raw));
  const id = Buffer.alloc(4);
  id.writeUInt32BE(verifier.id);
  const lineOf = (signature: Buffer) => `— log.example ${Buffer.concat([id, signature]).toString('base64')}\n`;
  const good = lineOf(sign(null, Buffer.from(text), key.privateKey));
  const check = (lines: string) => {
    const checkpoint = parseCheckpoint(`${text}\n${lines}`);
    assert.ok(checkpoint);
    return isSignedBy(checkpoint, [verifier]);
  };
  assert.ok(check(good));
  assert.ok(check(`${good}— log.example AAAAAAAAAAA=\n`), 'signatures of unknown keys are passed over');
  assert.ok(!check(good + lineOf(Buffer.alloc(64))));
  assert.ok(!check('— log.example AAAAAAAAAAA=\n'));
});

test('cosignatures of both kinds verify over their timestamped statements, and for no other checkpoint', () => {
  const text = checkpointText('log.example', { size: 5, root: entry(1) });
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(1_700_000_000n);
  const ed = generateKeyPairSync('ed25519');
  const edRaw = Buffer.from(ed.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const ml = generateKeyPairSync('ml-dsa-44');
  const mlRaw = ml.publicKey.export({ format: 'der', type: 'spki' }).subarray(22);
  const size = Buffer.alloc(16);
  size.writeBigUInt64BE(5n, 8);
  const statement = Buffer.concat([
    Buffer.from('subtree/v1\n\0'),
    Buffer.from([9]),
    Buffer.from('w.example'),
    time,
    Buffer.from([11]),
    Buffer.from('log.example'),
    size,
    entry(1),
  ]);
  const cases = [
    {
      verifier: verifierOf('w.example', 4, edRaw),
      signed: sign(null, Buffer.from(`cosignature/v1\ntime 1700000000\n${text}`), ed.privateKey),
    },
    { verifier: verifierOf('w.example', 6, mlRaw), signed: sign(null, statement, ml.privateKey) },
  ];
  for (const { verifier, signed } of cases) {
    const signature = { name: 'w.example', id: verifier.id, bytes: Buffer.concat([time, signed]) };
    assert.ok(verifies(verifier, text, signature));
    assert.ok(!verifies(verifier, text.replace('\n5\n', '\n6\n'), signature));
    assert.ok(!verifies(verifier, text, { ...signature, bytes: Buffer.concat([Buffer.alloc(8), signed]) }), 'it says when');
    assert.ok(!verifies(verifier, text, { ...signature, name: 'other.example' }));
  }
});

test('the canonical form is that of RFC 8785, and an address is hidden by its salt', () => {
  assert.equal(
    canonicalJson({ b: [1, 'ü', null], a: { z: 1e21, '\ud83d\ude00': true, é: 0.1, '\ufb33': 1 } }),
    '{"a":{"z":1e+21,"é":0.1,"😀":true,"\ufb33":1},"b":[1,"ü",null]}',
  );
  assert.deepEqual(addressDigest({ salt: 's', ip: '192.0.2.1' }), sha(Buffer.from('["s","ip","192.0.2.1"]')));
});
