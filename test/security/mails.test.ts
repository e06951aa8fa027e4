import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../harness.ts';
import { authPath, goodPassword } from '../people.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../smtp-receiver.ts';
import { eventually } from '../webhook-receiver.ts';

let chancery: Chancery;
let smtp: SmtpReceiver;

before(async () => {
  smtp = await startSmtpReceiver();
  chancery = await startChancery({
    settings: { ALTCHA: 'off', SMTP_URL: smtp.url, MAIL_FROM: 'Chancery <no-reply@chancery.example>' },
  });
});
after(async () => {
  await chancery.stop();
  await smtp.close();
});

const post = (path: string, body: unknown) => chancery.call('POST', `${authPath}${path}`, { body });
const register = (email: string, members: object = {}) =>
  post('/register', { email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword, ...members });
const to = (email: string) => smtp.received.filter(({ to: recipients }) => recipients.includes(email));
const mailTo = (email: string, count = 1) =>
  eventually(`mail ${count} to ${email}`, () => (to(email).length >= count ? to(email).at(-1) : undefined));
/** Registers an address and confirms it with the mailed code. */
async function person(email: string, mailbox: string, members: object = {}): Promise<string> {
  assert.equal((await register(email, members)).status, 201);
  const code = /\b\d{6}\b/.exec((await mailTo(mailbox)).raw)?.[0];
  const verified = await post('/verify-email', { email, code });
  assert.equal(verified.status, 200, verified.text);
  return verified.body.user.id;
}
let people = 0;
const local = () => `kim.ilio${(people += 1)}`;

/** Spellings that a Unicode rule or a database can treat as equal to the plain one. */
const lookAlikes = (plain: string): Record<string, string> => ({
  'with a Kelvin sign': plain.replace('k', '\u212a'),
  'with a dotless i': plain.replace('i', '\u0131'),
  'with a dotted capital I': plain.replace('i', '\u0130'),
  'with a Cyrillic o': plain.replace('o', '\u043e'),
  'in full width': plain.replace('k', '\uff4b'),
  'with an accent of its own': plain.replace('o', 'o\u0301'),
  'with a zero-width space': plain.replace('.', '\u200b.'),
  'with a soft hyphen': plain.replace('.', '\u00ad.'),
  'written from right to left': `\u202e${plain}`,
  'in quotation marks': `"${plain.split('@')[0]}"@example.org`,
  'with a comment': `${plain.split('@')[0]}(x)@example.org`,
});

test('a look-alike of an address does not give access to its account, a sign-in or a link', async () => {
  const email = `${local()}@example.org`;
  await person(email, email);
  const known = to(email).length;
  for (const [how, like] of Object.entries(lookAlikes(email))) {
    assert.notEqual(like, email);
    assert.equal((await register(like)).status, 400, how);
    assert.equal((await post('/login', { email: like, password: goodPassword })).body.code, 'invalid_credentials', how);
    assert.equal((await post('/request-password-reset', { email: like })).status, 400, how);
    await chancery.pool.query('DELETE FROM throttle');
  }
  for (const domain of ['ex\u0430mple.org', 'examp\u0131e.org', 'exampl\u0435.org']) {
    const like = email.replace('example.org', domain);
    assert.equal((await post('/request-password-reset', { email: like })).status, 200, domain);
    assert.equal((await post('/login', { email: like, password: goodPassword })).body.code, 'invalid_credentials', domain);
  }
  const end = `${local()}@example.org`;
  await register(end);
  await mailTo(end);
  assert.equal(to(email).length, known, 'no look-alike caused a mail to the owner');
});

test('addresses are case-insensitive, and mails go to the registered spelling', async () => {
  const email = `${local()}@example.org`;
  const mixed = email.replace('kim', 'KiM').replace('example', 'Example');
  const stored = email.replace('kim', 'KiM');
  const id = await person(mixed, stored);
  for (const spelled of [email, email.toUpperCase(), ` ${mixed} `]) {
    assert.equal((await post('/login', { email: spelled, password: goodPassword })).body.user?.id, id, spelled);
  }
  assert.equal((await register(email.toUpperCase(), { password: 'StrangersPassword1' })).status, 201);
  const notice = await mailTo(stored, 2);
  assert.match(notice.headers, /Subject: .*already/);
  assert.equal(to(email.toUpperCase()).length, 0, 'no mail goes to another spelling');
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM account WHERE email_key = $1', [email]);
  assert.equal(rows[0].n, 1);
});

test('an address with a plus suffix is a different address with a separate account', async () => {
  const name = local();
  const [plain, tagged] = [`${name}@example.org`, `${name}+clients@example.org`];
  const [one, two] = [await person(plain, plain), await person(tagged, tagged)];
  assert.notEqual(one, two);
  assert.equal((await post('/login', { email: tagged, password: goodPassword })).body.user.id, two);
});

test('an address of 320 characters is rejected in operations that store it, and unknown at the sign-in', async () => {
  const long = `${'a'.repeat(64)}@${`${'b'.repeat(50)}.`.repeat(5)}org`;
  for (const email of [
    long.padEnd(320, 'g'),
    `${'a'.repeat(308)}@example.org`,
    `a@${'b'.repeat(64)}.org`,
    `${'a'.repeat(65)}@example.org`,
  ]) {
    assert.equal((await register(email)).status, 400, String(email.length));
    assert.equal((await post('/request-password-reset', { email })).status, 400);
    assert.equal((await post('/login', { email, password: goodPassword })).body.code, 'invalid_credentials');
  }
  const most = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.org`;
  assert.ok(most.length <= 254);
  assert.equal((await register(most)).status, 201);
  await mailTo(most);
});

const lineEnds = ['\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0'];

test('an address with a line break and a text with two addresses are rejected', async () => {
  const known = smtp.received.length;
  const email = `${local()}@example.org`;
  for (const end of lineEnds)
    for (const evil of [`${email}${end}Bcc: evil@example.org`, `a${end}${email}`, `${email}${end}`.concat('x')])
      assert.equal((await register(evil)).status, 400, JSON.stringify(evil));
  for (const evil of [
    `${email},evil@example.org`,
    `${email};evil@example.org`,
    `${email} evil@example.org`,
    `<${email}>`,
    `Ada <${email}>`,
    `${email}>\r\nRCPT TO:<evil@example.org`,
  ])
    assert.equal((await register(evil)).status, 400, evil);
  for (const dropped of [
    'exam\nple.org',
    'exam\tple.org',
    'exam\u00adple.org',
    'exam\u200bple.org',
    'ex%61mple.org',
    'example.org%0d%0a',
    'example.org/x',
    'example.org#x',
  ])
    assert.equal((await register(`${email.split('@')[0]}@${dropped}`)).status, 400, JSON.stringify(dropped));
  await register(email);
  await mailTo(email);
  assert.equal(smtp.received.length, known + 1);
});

test('names and team names cannot add headers or subject lines to a mail', async () => {
  for (const end of lineEnds)
    for (const firstName of [`Ada${end}Bcc: evil`, `Ada${end}${end}<script>`])
      assert.ok([400, 201].includes((await register(`${local()}@example.org`, { firstName })).status), JSON.stringify(firstName));
  const email = `${local()}@example.org`;
  const firstName = '=?utf-8?Q?Ada=0D=0ABcc:_evil?= <b>"x"</b>';
  await person(email, email, { firstName });
  const { body } = await post('/login', { email, password: goodPassword });
  const rename = (name: string) => chancery.call('PATCH', '/api/v1/team', { token: body.accessToken, body: { name } });
  const invite = async () => {
    const guest = `${local()}@example.org`;
    const made = await chancery.call('POST', '/api/v1/team/invitations', {
      token: body.accessToken,
      body: { email: guest, role: 'viewer' },
    });
    assert.equal(made.status, 201, made.text);
    return mailTo(guest);
  };
  for (const name of [
    'Law\r\nBcc: evil',
    'Law\nX-Evil: 1',
    'Law\u2028Bcc: evil',
    '=?utf-8?Q?Law=0D=0ABcc:_evil?=',
    `Law ${'é'.repeat(60)} Bcc: evil`,
    '<img src=x onerror=alert(1)> & Partners',
  ]) {
    const renamed = await rename(name);
    assert.ok([200, 400].includes(renamed.status), renamed.text);
    const { headers, raw } = await invite();
    assert.doesNotMatch(raw.slice(raw.indexOf('text/html')), /<img src=x|<b>/);
    assert.doesNotMatch(headers, /^(bcc|cc|x-evil)\s*:/im, name);
    assert.equal(headers.match(/^to:/gim)?.length, 1);
    assert.equal(headers.match(/^subject:/gim)?.length, 1);
  }
  await eventually(
    'all mails are sent',
    async () => (await chancery.pool.query("SELECT FROM mail_message WHERE status = 'queued'")).rowCount === 0,
  );
  for (const { to: recipients, headers } of smtp.received) {
    assert.equal(recipients.length, 1);
    assert.doesNotMatch(recipients.join(), /evil/);
    assert.doesNotMatch(headers, /^(bcc|cc|x-evil)\s*:/im);
    for (const line of headers.split('\r\n')) assert.match(line, /^([A-Za-z-]+:( |$)|[ \t])/, `not a header line: ${line}`);
  }
});
