import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeOf } from '../../test/cpu-time.ts';
import { cleanName, cutText, hasLink, isPrintable, mixesScripts, nameKey, normalText, showsAtLeast, withoutLinks } from './text.ts';

const links = [
  'www.evil.example',
  'WWW.Evil',
  'see https://evil.example/x',
  'evil.com',
  'Ada evil.example Lovelace',
  'sub.domain.evil.co.uk',
  'evil。com',
  'evil．com',
  'ｅｖｉｌ．ｃｏｍ',
  'mallory@evil.example',
  '192.0.2.7',
  'http://192.0.2.7',
  'пример.рф',
  'xn--e1afmkfd.xn--p1ai',
  'click:javascript://x',
];
const names = [
  'Ada',
  'J.R.R. Tolkien',
  'J. R. R. Tolkien',
  'St. John',
  'O’Neill-Smith',
  'Dr. Müller',
  'Müller GmbH & Co. KG',
  'Smith, Jones & Partners Ltd.',
  'Legal 2.0',
  'A.',
  'Team 3.14',
  'Jean-Luc',
  '李小龙',
  'Martin Luther King Jr.',
  'Ph.D. candidates',
];

test('links of mail programs are detected in any spelling; initials and dots in names are allowed', () => {
  for (const text of links) assert.ok(hasLink(text), text);
  for (const text of names) assert.ok(!hasLink(text), text);
});

test('an old name is shown without its link, and others unchanged', () => {
  for (const text of links) assert.ok(!/\.\S/.test(withoutLinks(text)) || !hasLink(withoutLinks(text)), withoutLinks(text));
  for (const text of names) assert.equal(withoutLinks(text), text);
});

test('a name with very many combining marks is rejected with little CPU time, and normal marks are ordered', async () => {
  const used = await cpuTimeOf(() => assert.throws(() => cleanName(`a${'\u0301\u0316'.repeat(100_000)}`), /at most 255/));
  assert.ok(used < 10_000, `${used} ms`);
  for (const text of [
    'a\u0301\u0316',
    `q${'\u0301\u0316'.repeat(15)}`,
    'Đặng Thị Ngọc Thịnh'.normalize('NFD'),
    '각'.normalize('NFD'),
    '\uFDFA',
  ])
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const) assert.equal(normalText(text, form), text.normalize(form));
});

test('normalized text stays unchanged with any number of combining marks', () => {
  for (const mark of ['\u0301', '\u0301\u0316', '\u0344', '\u{1d166}', '\u034F\u0301', '\u0323\u0344\u0301'])
    for (const count of [1, 15, 16, 29, 30, 31, 60, 61, 500])
      for (const form of ['NFC', 'NFKC', 'NFKD'] as const) {
        const normal = normalText(`e${mark.repeat(count)}f`, form);
        assert.equal(normalText(normal, form), normal, `${form} of ${count} ${JSON.stringify(mark)}`);
        assert.equal(normal, normal.normalize(form));
      }
});

test('a name compares equally as sent and as stored', () => {
  for (const name of [`a${'\u0301\u0316'.repeat(20)}`, `\uFB03${'\u0344'.repeat(31)}`, `\u0130${'\u0316\u0301'.repeat(15)}`])
    assert.equal(nameKey(cleanName(name)), nameKey(name));
});

test('a text is cut between characters', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((most) => cutText('a😀b', most)),
    ['a', 'a', 'a😀', 'a😀b'],
  );
});

test('a name has no bidirectional or hidden characters and is visible, but may contain joiners of scripts', () => {
  const hidden = [
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u2060',
    '\u3164',
    '\u{e0041}',
    '\u2028',
    '\u200f',
    '\u061c',
    '\u202e',
    '\u2066',
    '\ud800',
    '\udc00',
    '\0',
  ];
  for (const one of hidden) assert.throws(() => cleanName(`A${one}da`), /control characters/, JSON.stringify(one));
  for (const empty of ['\u200b', '\u3164', '\u2800', '\u200d\u200c', '\ufe0f', '\u034f\u00a0\u2800'])
    assert.ok(!isPrintable(empty), JSON.stringify(empty));
  const written = [
    'محمد\u200cی',
    'क्\u200dष',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'שרה כהן',
    'a\u202fb',
  ];
  for (const text of written) assert.equal(cleanName(text), text.normalize('NFC'));
});

test('the minimum length counts visible characters, in linear time', async () => {
  for (const blank of ['', ' ', '\n\t', '\u00a0\u3000', '\u200b', '\u2800 \u3164'])
    assert.equal(showsAtLeast(blank, 1), false, JSON.stringify(blank));
  assert.ok(showsAtLeast(' a ', 1) && showsAtLeast('', 0));
  assert.ok(showsAtLeast('a b', 3) && showsAtLeast('\ud835\udcb3x', 2));
  assert.ok(!showsAtLeast('  a', 3) && !showsAtLeast('a  ', 3) && !showsAtLeast('\ud835\udcb3', 2));
  const used = await cpuTimeOf(() => showsAtLeast('a'.padEnd(2_000).repeat(50), 100_001));
  assert.ok(used < 2_000, `${used} ms`);
});

test('a dot in brackets counts as a web address', () => {
  for (const text of ['evil[.]com', 'Pay at evil(.)com', 'evil {dot} com', 'evil [DOT] com', 'evil[．]com']) {
    assert.ok(hasLink(text), text);
    assert.ok(!hasLink(withoutLinks(text)), withoutLinks(text));
  }
  for (const name of ['Dot & Co (dot matrix)', 'Array[0]', 'Ada [. . .] Lovelace']) assert.ok(!hasLink(name), name);
});

test('a word cannot mix scripts that look alike', () => {
  for (const name of ['Pаypal', 'Αcme Corp', 'Ρeter', 'Mіcrosoft Team', 'Наrbour']) assert.ok(mixesScripts(name), name);
  for (const name of [
    'Paypal',
    'Müller & Söhne',
    'Наталья Smith',
    'Ελένη Papadopoulou',
    '東京 Office',
    '日本Team',
    'محمد Ltd',
    'Zoë',
    '5 µm',
    'Łukasz',
  ])
    assert.ok(!mixesScripts(name), name);
});

test('the error of a name says whether it is empty or too long', () => {
  assert.throws(() => cleanName('  '), /`name` must not be empty or have only spaces\./);
  assert.throws(() => cleanName('a'.repeat(256)), /`name` must have at most 255 characters, and has 256\./);
});
