import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { type Chancery, sharedChancery, type TestTeam } from '../../../../test/harness.ts';
import { accentOf, contrast, grounds } from './colours.ts';
import { pictureOf } from './picture.ts';

const path = '/api/v1/team/branding';
const at50 = Array.from({ length: 50 }, (_, n) => n);
let chancery: Chancery;
let team: TestTeam;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
});

const change = (body: unknown, { token = team.owner.token, headers = {} } = {}) => chancery.call('PATCH', path, { token, body, headers });

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const note = Buffer.from('<script>alert(1)</script> at 52.5 N 13.4 E');
const [start, rest] = [dot.subarray(0, 33), dot.subarray(33)];
/** A dot with a comment, an animation and data after its end. */
const talkative = Buffer.concat([start, chunk('tEXt', note), chunk('eXIf', note), chunk('acTL', Buffer.alloc(8)), rest, note]);
function sized(width: number, height: number): Buffer {
  const header = Buffer.from(dot.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([dot.subarray(0, 8), chunk('IHDR', header), rest]);
}
const segment = (marker: number, data: Buffer) => Buffer.concat([Buffer.from([0xff, marker, 0, data.length + 2]), data]);
/** The parts of a JPEG in their order, sufficient for the parser. */
const jpeg = (...notes: Buffer[]) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...notes,
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, Buffer.from([8, 0, 20, 0, 30, 1, 1, 0x11, 0])),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4]),
    Buffer.from([0xff, 0xd9]),
  ]);

test('an image keeps only the parts that draw it; metadata and data after the end are removed, and other data is rejected', () => {
  assert.deepEqual(pictureOf(dot), { mediaType: 'image/png', width: 1, height: 1, bytes: dot });
  assert.deepEqual(pictureOf(talkative)?.bytes, dot);
  const tagged = Buffer.concat([jpeg(segment(0xe1, note), segment(0xfe, note)), note]);
  assert.deepEqual(pictureOf(tagged), { mediaType: 'image/jpeg', width: 30, height: 20, bytes: jpeg() });
  for (const whole of [dot, talkative.subarray(0, -note.length), jpeg()])
    for (let end = 0; end < whole.length; end += 1) assert.equal(pictureOf(whole.subarray(0, end)), undefined, `cut at ${end}`);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const wrongSum = Buffer.from(dot);
  wrongSum[30] = 0;
  for (const other of [svg, Buffer.from('GIF89a'), Buffer.alloc(0), Buffer.from([0xff]), wrongSum, sized(0, 1)])
    assert.equal(pictureOf(other), undefined);
});

test('any bytes give an image or nothing, and rewriting an image again does not change it', () => {
  const changed = fc
    .tuple(fc.constantFrom(dot, talkative, jpeg(), jpeg(segment(0xe1, note))), fc.array(fc.tuple(fc.nat(), fc.nat(255))))
    .map(([from, changes]) => {
      const bytes = Buffer.from(from);
      for (const [place, value] of changes) bytes[place % bytes.length] = value;
      return bytes;
    });
  const kept = fc.property(changed, (bytes) => {
    const picture = pictureOf(bytes);
    if (!picture) return;
    assert.ok(picture.bytes.length <= bytes.length);
    assert.deepEqual(pictureOf(picture.bytes), picture);
  });
  fc.assert(kept, { numRuns: 1_000 });
});

test('every colour results in readable light and dark page colours, and stays unchanged if it is readable', () => {
  const readable = fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
    const colour = `#${number.toString(16).padStart(6, '0')}`;
    const shown = accentOf(colour);
    assert.ok(shown);
    const { light, dark, onLight, onDark } = shown;
    for (const [one, other] of [
      [light, grounds.light],
      [dark, grounds.dark],
      [light, onLight],
      [dark, onDark],
    ] as const)
      assert.ok(contrast(one, other) >= 4.5, `${colour}: ${one} on ${other}`);
    if (contrast(colour, grounds.light) > 6) assert.equal(light, colour);
  });
  fc.assert(readable, { numRuns: 500 });
});

test('a team sets a name, a colour and a logo that its page loads from the service, and removes them', async () => {
  assert.deepEqual((await chancery.call('GET', path, { token: team.owner.token })).body, {});
  const { status, body, text } = await change({ name: '  Lovelace & Partners ', colour: '#FFEF9F', logo: talkative.toString('base64') });
  assert.equal(status, 200, text);
  const { logoUrl, updatedAt, ...named } = body;
  const shown = accentOf('#ffef9f');
  assert.deepEqual(named, { name: 'Lovelace & Partners', colour: '#ffef9f', shown });
  assert.ok(updatedAt);
  const logoAt = `${chancery.url}${new URL(logoUrl).pathname}`;
  const logo = await fetch(logoAt);
  assert.deepEqual(Buffer.from(await logo.arrayBuffer()), dot);
  assert.equal(logo.headers.get('content-type'), 'image/png');
  assert.match(logo.headers.get('cache-control') ?? '', /immutable/);
  assert.match(logo.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.equal(logo.headers.get('x-content-type-options'), 'nosniff');
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const made = await chancery.call('POST', '/api/v1/interfaces/', {
    token: team.owner.token,
    body: { title: 'Ask', type: 'form', fields },
  });
  const shared = await chancery.call('POST', `/api/v1/interfaces/${made.body.id}/publish`, {
    token: team.owner.token,
    body: { revision: 1 },
  });
  const page = await chancery.call('GET', `/f/${shared.body.publicToken}`);
  assert.match(page.text, new RegExp(`<img src="${new URL(logoUrl).pathname}" alt="Lovelace &amp; Partners"`));
  assert.ok(page.text.includes(`--accent:light-dark(${shown?.light},${shown?.dark})`));
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self'/);
  const other = await chancery.team();
  assert.equal((await fetch(logoAt.replace(team.id, other.id))).status, 404, 'the logo of another team');
  for (const at of [`/logos/x/${'a'.repeat(64)}`, `/logos/${team.id}/${'a'.repeat(64)}`])
    assert.equal((await chancery.call('GET', at)).status, 404);
  assert.deepEqual((await chancery.call('GET', path, { token: other.owner.token })).body, {});
  assert.deepEqual(Object.keys((await change({ name: null, colour: null, logo: null })).body), ['updatedAt']);
  assert.equal((await fetch(logoAt)).status, 404);
  const { rows } = await chancery.pool.query(
    "SELECT data FROM audit_entry WHERE team_id = $1 AND type = 'team.branding_updated' ORDER BY id",
    [team.id],
  );
  assert.deepEqual(
    rows.map(({ data }) => data),
    [{ members: ['name', 'colour', 'logo'] }, { members: ['name', 'colour', 'logo'] }],
  );
});

test('an invalid name, colour or logo is rejected and changes nothing', async () => {
  const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');
  const refused: [object, number, string][] = [
    [{}, 400, 'validation_failed'],
    [{ name: 'See evil.example' }, 422, 'name_has_link'],
    [{ name: '' }, 400, 'validation_failed'],
    [{ colour: 'red' }, 400, 'validation_failed'],
    [{ colour: '#fff;}' }, 400, 'validation_failed'],
    [{ logo: 'no base64!' }, 400, 'validation_failed'],
    [{ logo: base64(Buffer.concat([dot, randomBytes(256 * 1024)])) }, 400, 'validation_failed'],
    [{ logo: base64('<svg xmlns="http://www.w3.org/2000/svg"/>') }, 422, 'logo_invalid'],
    [{ logo: base64(dot.subarray(0, 40)) }, 422, 'logo_invalid'],
    [{ logo: base64(sized(2_001, 10)) }, 422, 'logo_invalid'],
  ];
  for (const [body, status, code] of refused) {
    const answer = await change(body);
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body).slice(0, 80));
  }
  assert.deepEqual(Object.keys((await chancery.call('GET', path, { token: team.owner.token })).body), ['updatedAt']);
});

test('of 50 concurrent changes with the same ETag, one succeeds', async () => {
  const { owner } = await chancery.team();
  const { token } = owner;
  const headers = { 'if-match': (await chancery.call('GET', path, { token })).headers.get('etag') ?? '' };
  const answers = await Promise.all(at50.map((n) => change({ name: `Name ${n}` }, { token, headers })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 412).length, 49);
});
