import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { passwordError } from './passwords.ts';

const person = { minLength: 8, email: 'ada.lovelace@example.org', firstName: 'Augusta', lastName: 'Lovelace-King' };
const ruleOf = async (password: string, changes: Partial<typeof person> = {}) =>
  (await passwordError(password, { ...person, ...changes }))?.rule;

describe('an accepted password', () => {
  const good = [
    'Str0ng-Passw0rd!2026',
    'CorrectHorse9Battery',
    'correct horse battery staple',
    'SecurePassword123!',
    'пароль-с-буквами',
    '長いパスワード八文字',
    '🔑🔒🚪🏠🌲🌳🌴🌵',
    ' leading and trailing ',
    'nul\0inside',
    'abcdefgi',
    'x'.repeat(7) + 'y',
    'no'.repeat(64),
  ];
  for (const password of good) {
    test(JSON.stringify(password.length > 40 ? `${password.slice(0, 10)}… ${password.length}` : password), async () => {
      assert.equal(await ruleOf(password), undefined);
    });
  }

  test('may have any characters if it is long and random', async () => {
    const random = fc.string({
      unit: fc.constantFrom('a', 'b', 'X', 'Y', '0', '9', ' ', '!', 'ß', '€', '🔑', 'é'),
      minLength: 24,
      maxLength: 64,
    });
    await fc.assert(
      fc.asyncProperty(random, async (password) => new Set(password.toLowerCase()).size === 1 || (await ruleOf(password)) === undefined),
    );
  });
});

describe('the length', () => {
  test('counts code points, from 8 to 128', async () => {
    assert.equal(await ruleOf('🔑aB3🔒xQ'), 'min_length');
    assert.equal(await ruleOf('🔑aB3🔒xQ9'), undefined);
    assert.equal(await ruleOf('🔑b'.repeat(64)), undefined);
    assert.equal(await ruleOf(`${'🔑b'.repeat(64)}c`), 'max_length');
    assert.equal(await ruleOf(''), 'min_length');
  });

  test('is counted after NFKC, like the hashed characters', async () => {
    assert.equal(await ruleOf('ae\u0301iou\u0308y1'), 'min_length', 'seven characters of nine code points');
    assert.equal(await ruleOf('ﬃx7Qﬃ'), undefined, 'two ligatures are six letters');
  });

  test('may have a longer minimum, which the error states', async () => {
    const error = await passwordError('CorrectHorse9', { ...person, minLength: 15 });
    assert.deepEqual(error, { rule: 'min_length', reason: 'must have at least 15 characters' });
    assert.equal(await ruleOf('CorrectHorse9Battery', { minLength: 15 }), undefined);
  });
});

describe('common passwords are rejected', () => {
  const common = ['password', 'PASSWORD1', 'iloveyou1', 'P@ssw0rd', 'Qwertyuiop', 'trustno1', 'letmein1', 'ｐａｓｓｗｏｒｄ', 'sunshine1'];
  const plain = [
    'aaaaaaaa',
    'AAAaaaAAA',
    '🔑'.repeat(8),
    '        ',
    '12345678',
    '87654321',
    '23456789',
    '01234567890',
    'abcdefgh',
    'STUVWXYZ',
    'zyxwvuts',
    'asdfghjk',
  ];
  for (const password of [...common, ...plain]) {
    test(password, async () => assert.equal(await ruleOf(password), 'password_common'));
  }

  test('the list has 10 000 passwords that the policy would otherwise accept', async () => {
    // The 3 000th such password, and one from the end. ASVS 6.2.4 requires 3 000; a list cut before the filter barely has that many.
    assert.equal(await ruleOf('12101989'), 'password_common');
    assert.equal(await ruleOf('dalmatio'), 'password_common');
  });
});

describe("a person's own data is refused", () => {
  const own = [
    'ada.lovelace@example.org',
    'Ada.Lovelace@Example.ORG',
    'ada.lovelace',
    'ADA.LOVELACE',
    'lovelace-king',
    'AugustaLovelace-King',
    'augusta lovelace-king',
    'ＡＤＡ.lovelace',
    'Chancery',
  ];
  for (const password of own) {
    test(password, async () => assert.equal(await ruleOf(password), 'password_contains_identity'));
  }

  test('including the first name', async () =>
    assert.equal(await ruleOf('MAXIMILIANE', { firstName: 'Maximiliane' }), 'password_contains_identity'));

  test('in any composition of its characters', async () => {
    assert.equal(await ruleOf('Zoë-Müller'.normalize('NFD'), { lastName: 'Zoë-Müller'.normalize('NFC') }), 'password_contains_identity');
    assert.equal(await ruleOf('finch-hatton', { lastName: 'ﬁnch-Hatton' }), 'password_contains_identity');
  });

  test('but a longer password that contains it is accepted, and an empty name is ignored', async () => {
    assert.equal(await ruleOf('ada.lovelace-1843!'), undefined);
    assert.equal(await ruleOf('Str0ng-Passw0rd!2026', { firstName: '', lastName: '', email: '' }), undefined);
  });
});

test('the reason never repeats the password', async () => {
  for (const password of ['short', 'password', 'ada.lovelace', 'q'.repeat(200)]) {
    const error = await passwordError(password, person);
    assert.ok(error && (password === 'short' || !error.reason.includes(password)));
  }
});
