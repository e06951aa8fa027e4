import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { dropLeftovers } from '../upkeep/index.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
/** The offset of the clock, in milliseconds. */
let ahead = 0;

before(async () => {
  chancery = await startChancery({ role: 'api', clock: () => new Date(Date.now() + ahead) });
  team = await chancery.team();
});
after(() => chancery.stop());

const fields = [
  { id: 'what', type: 'text', label: 'What', required: true },
  { id: 'mail', type: 'email', label: 'Mail' },
  { id: 'proof', type: 'file', label: 'Proof' },
  { id: 'score', type: 'hidden', default: 'risk-7' },
];
type Form = { id: string; publicToken: string };
type DraftOptions = { session?: string | undefined; headers?: Record<string, string> };

async function publish(id: string, revision: number, more: object = {}): Promise<Form> {
  const answer = await chancery.call('POST', `${path}/${id}/publish`, { token: team.owner.token, body: { revision, ...more } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
async function formOf(members: object = {}): Promise<Form> {
  const body = { title: 'Intake', type: 'form', fields, config: { drafts: true }, ...members };
  const made = await chancery.call('POST', `${path}/`, { token: team.owner.token, body });
  assert.equal(made.status, 201, made.text);
  return publish(made.body.id, 1);
}
const call = (method: string, { publicToken }: Form, more: string, body?: unknown, { session, headers = {} }: DraftOptions = {}) =>
  chancery.call(method, `${path}/public/${publicToken}${more}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...headers, ...(session === undefined ? {} : { 'x-submission-session': session }) },
  });
const keep = (
  form: Form,
  data: object,
  { session, ...more }: { session?: string; revision?: number; version?: number; altcha?: unknown } = {},
) => call('PUT', form, '/draft', { data, ...more }, { session });
const read = (form: Form, session?: string) => call('GET', form, '/draft', undefined, { session });
const mailLink = (form: Form, session: string | undefined, email: string) => call('POST', form, '/draft/link', { email }, { session });
const resume = (form: Form, draft: string) => call('POST', form, '/draft/resume', { draft });
const sessionOf = ({ headers }: { headers: Headers }) => headers.get('x-submission-session') ?? '';
const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body?.code ?? ''}`.trim();
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
const at50 = Array.from({ length: 50 }, (_, n) => n);

/** Returns the secrets of the links mailed to an address, oldest first. */
async function mailedTo(address: string): Promise<string[]> {
  const mails = await query('SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id', address);
  return mails.map(({ text_body: body }) => /\/draft\/([\w-]{43})/.exec(body)?.[1] ?? '');
}
async function begun(form: Form, data: object = { what: 'Half a sentence' }): Promise<string> {
  const answer = await keep(form, data);
  assert.equal(answer.status, 200, answer.text);
  return sessionOf(answer);
}

test('a draft stores the answers unchanged, is visible only in its session, and is replaced by revision', async () => {
  const form = await formOf();
  const misspelt = await keep(form, { what: 'Half', mial: 'a@b.example', _website: '' });
  assert.equal(codeOf(misspelt), '422 submission_invalid');
  assert.deepEqual(
    misspelt.body.errors.map(({ pointer, reason }: any) => [pointer, reason]),
    [['/data/mial', 'is unknown; did you mean `mail`?']],
  );
  const first = await keep(form, { what: 'Half', mail: 'not yet', score: 'forged' });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(Object.keys(first.body).toSorted(), ['data', 'expiresAt', 'revision', 'updatedAt', 'version']);
  assert.deepEqual([first.body.revision, first.body.data.what, first.body.data.mail], [1, 'Half', 'not yet']);
  assert.ok(!('score' in first.body.data), 'the value of a hidden field belongs to the form');
  assert.ok(Date.parse(first.body.expiresAt) - Date.now() > 6.9 * 86_400_000);
  const session = sessionOf(first);
  assert.deepEqual((await read(form, session)).body, first.body);
  const answers = await Promise.all(at50.map((n) => keep(form, { what: `N${n}` }, { session, revision: 1 })));
  assert.deepEqual(answers.map(codeOf).toSorted(), ['200', ...Array.from({ length: 49 }, () => '409 draft_superseded')]);
  assert.equal((await keep(form, { what: 'Whatever there is' }, { session })).body.revision, 3);
  const withoutDraft = await begun(form);
  assert.equal((await call('DELETE', form, '/draft', undefined, { session: withoutDraft })).status, 204);
  for (const other of [undefined, withoutDraft, await begun(await formOf()), 'x'.repeat(43)])
    assert.equal(codeOf(await read(form, other)), '404 draft_not_found');
  const [entry] = await query(
    "SELECT data, actor_type FROM audit_entry WHERE type = 'draft.kept' AND data ->> 'interfaceId' = $1",
    form.id,
  );
  assert.deepEqual([entry.data, entry.actor_type], [{ interfaceId: form.id, revision: 1 }, 'visitor'], 'the journal has no answers');
  const seen = await chancery.call('GET', `${path}/${form.id}`, { token: team.owner.token });
  assert.doesNotMatch(seen.text, /Whatever/);
});

test('the link to a draft is mailed at most five times in total, so that one session cannot mail many strangers', async () => {
  const form = await formOf();
  const session = await begun(form);
  const one = `crowd.${randomUUIDv7()}`;
  const mails: string[] = [];
  for (let n = 0; n < 7; n += 1) mails.push((await mailLink(form, session, `${one}.${n}@example.org`)).body.mail);
  assert.deepEqual(mails, [...Array.from({ length: 5 }, () => 'queued'), 'skipped', 'skipped']);
  const [secret = ''] = await mailedTo(`${one}.4@example.org`);
  assert.equal((await resume(form, secret)).status, 200, 'the last mailed link works');
});

test('a submission or a deletion ends the draft, and so does a week', async () => {
  const form = await formOf();
  const session = await begun(form);
  const done = await call('POST', form, '/submit', { data: { what: 'All' } }, { session });
  assert.equal(done.status, 200, done.text);
  assert.equal(codeOf(await read(form, session)), '404 draft_not_found');
  await keep(form, { what: 'Anew' }, { session });
  assert.equal((await call('DELETE', form, '/draft', undefined, { session })).status, 204);
  assert.equal(codeOf(await call('DELETE', form, '/draft', undefined, { session })), '404 draft_not_found');
  await keep(form, { what: 'Old' }, { session });
  await query("UPDATE submission_draft SET expires_at = now() - interval '1 second' WHERE interface_id = $1", form.id);
  assert.equal(codeOf(await read(form, session)), '404 draft_not_found');
  await dropLeftovers(chancery.database, new Date());
  assert.deepEqual(await query('SELECT FROM submission_draft WHERE interface_id = $1', form.id), []);
});

test('the mailed link moves the draft to one new session, and the old session loses it', async () => {
  const form = await formOf();
  const session = await begun(form);
  assert.deepEqual((await mailLink(form, session, 'go-on@example.org')).body, { mail: 'queued' });
  const [first = ''] = await mailedTo('go-on@example.org');
  const [mail] = await query("SELECT subject, text_body FROM mail_message WHERE recipient = 'go-on@example.org'");
  assert.doesNotMatch(mail.subject + mail.text_body, /Half a sentence/, 'mails contain no answers');
  for (const table of ['submission_draft', 'audit_entry', 'event', 'job'])
    assert.doesNotMatch(JSON.stringify(await query(`SELECT * FROM ${table}`)), new RegExp(first), `the secret is not in ${table}`);

  assert.deepEqual((await mailLink(form, session, 'go-on@example.org')).body, { mail: 'queued' });
  const [, second = ''] = await mailedTo('go-on@example.org');
  const elsewhere = await formOf();
  for (const [of, secret] of [
    [form, first],
    [form, 'x'.repeat(43)],
    [form, ''],
    [elsewhere, second],
  ] as const)
    assert.equal(codeOf(await resume(of, secret)), '404 draft_not_found');
  const answers = await Promise.all(Array.from({ length: 20 }, () => resume(form, second)));
  assert.ok(answers.every(({ status, body }) => status === 200 && body.data.what === 'Half a sentence'));
  const sessions = [session, ...answers.map(sessionOf)];
  const reading = await Promise.all(sessions.map((one) => read(form, one)));
  assert.deepEqual(reading.map(codeOf).toSorted(), ['200', ...sessions.slice(1).map(() => '404 draft_not_found')]);
  assert.equal(codeOf(await read(form, session)), '404 draft_not_found');
});

test('a mail address gets three links an hour, and the last one works', async () => {
  const form = await formOf();
  const session = await begun(form);
  const answers = await Promise.all(Array.from({ length: 8 }, () => mailLink(form, session, 'often@example.org')));
  assert.deepEqual(answers.map(({ body }) => body.mail).toSorted(), [
    ...Array.from({ length: 3 }, () => 'queued'),
    ...Array.from({ length: 5 }, () => 'skipped'),
  ]);
  const secrets = await mailedTo('often@example.org');
  assert.equal(secrets.length, 3);
  const led = await Promise.all(secrets.map((secret) => resume(form, secret)));
  assert.equal(led.filter(({ status }) => status === 200).length, 1);
  const wrong = await mailLink(form, session, 'a@example.org\r\nBcc: b@example.org');
  assert.deepEqual([codeOf(wrong), wrong.body.errors[0].pointer], ['422 submission_invalid', '/email']);
});

test('the uploads of a draft stay as long as the draft and move with it', async () => {
  const form = await formOf();
  const session = await begun(form);
  const [{ id: owner }] = await query('SELECT session_id AS id FROM submission_draft WHERE interface_id = $1', form.id);
  const [own, others] = [randomUUIDv7(), randomUUIDv7()];
  for (const [id, of] of [
    [own, owner],
    [others, null],
  ])
    await query(
      `INSERT INTO submission_upload (team_id, id, interface_id, session_id, storage_key, name, media_type, size, sha256, created_at, expires_at)
       VALUES ($1, $2, $3, $4, 'a', 'a.png', 'image/png', 1, 'x', now(), now() + interval '1 hour')`,
      team.id,
      id,
      form.id,
      of,
    );
  await keep(form, { what: 'x', proof: others }, { session });
  await keep(form, { what: 'x', proof: own }, { session });
  await mailLink(form, session, 'uploads@example.org');
  const [secret = ''] = await mailedTo('uploads@example.org');
  const { headers } = await resume(form, secret);
  const rows = await query(
    "SELECT id, session_id, expires_at > now() + interval '6 days' AS week FROM submission_upload WHERE id = ANY ($1)",
    [own, others],
  );
  const page = await chancery.call('GET', `/f/${form.publicToken}`, {
    unchecked: true,
    headers: { cookie: `submission=${sessionOf({ headers })}` },
  });
  assert.match(page.text, /<span>a\.png<\/span>/, 'the page shows the original file name');
  const byId = new Map(rows.map((row) => [row.id, row]));
  assert.deepEqual([byId.get(own)?.week, byId.get(others)?.week, byId.get(others)?.session_id], [true, false, null]);
  const done = await call('POST', form, '/submit', { data: { what: 'x', proof: own } }, { session: sessionOf({ headers }) });
  assert.equal(done.status, 200, done.text);
});

async function proofFor(form: Form) {
  const { body } = await call('GET', form, '/altcha?v=2');
  return { challenge: body, solution: await solveChallenge({ challenge: body as Challenge, deriveKey }) };
}

test('the first draft of a session costs a proof of work if the form requires one, and a form has a maximum number of drafts', async () => {
  const [form, other] = [
    await formOf({ config: { drafts: true, requireAltcha: true } }),
    await formOf({ config: { drafts: true, requireAltcha: true } }),
  ];
  assert.equal(codeOf(await keep(form, {})), '400 altcha_required');
  assert.equal(codeOf(await keep(form, {}, { altcha: await proofFor(other) })), '400 altcha_invalid');
  const altcha = await proofFor(form);
  ahead = 601_000;
  assert.equal(codeOf(await keep(form, {}, { altcha })), '400 altcha_expired');
  ahead = 0;
  const first = await keep(form, {}, { altcha });
  assert.equal(first.status, 200, first.text);
  assert.equal(codeOf(await keep(form, {}, { altcha })), '400 altcha_already_used');
  assert.equal((await keep(form, {}, { session: sessionOf(first) })).status, 200, 'later saves need no proof');
  const full = await formOf();
  const session = await begun(full);
  await query(
    `INSERT INTO submission_draft (team_id, id, interface_id, session_id, hash, version, data, created_at, updated_at, expires_at)
     SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), sha256(n::text::bytea || $3::bytea), 1, '{}', now(), now(), now() + interval '1 day' FROM generate_series(1, 999) n`,
    team.id,
    full.id,
    Buffer.from(full.id),
  );
  assert.equal(codeOf(await keep(full, {})), '409 draft_limit');
  assert.equal((await keep(full, {}, { session })).status, 200);
  assert.equal(codeOf(await keep(full, { what: 'x'.repeat(65 * 1024) }, { session })), '413 payload_too_large');
});

test('an invalid link and a form that has no drafts or is closed neither store nor show a draft', async () => {
  const acts: ((form: Form, session?: string) => Promise<{ status: number; body: any }>)[] = [
    (form, session) => keep(form, {}, session === undefined ? {} : { session }),
    read,
    (form, session) => mailLink(form, session, 'nobody@example.org'),
    (form) => resume(form, 'x'.repeat(43)),
  ];
  const expect = async (form: Form, code: string, session?: string) => {
    for (const act of acts) assert.equal(codeOf(await act(form, session)), code);
  };
  const form = await formOf();
  const nowhere = { ...form, publicToken: 'x'.repeat(64) };
  await expect(nowhere, '404 interface_not_found');
  assert.equal(codeOf(await call('DELETE', nowhere, '/draft')), '404 interface_not_found');
  assert.equal(codeOf(await mailLink(form, undefined, 'nobody@example.org')), '404 draft_not_found');
  await expect(await formOf({ config: {} }), '404 drafts_disabled');
  const session = await begun(form);
  await chancery.call('PUT', `${path}/${form.id}`, {
    token: team.owner.token,
    body: { revision: 1, title: 'Other', publicSettings: { maxSubmissions: 1 } },
  });
  await publish(form.id, 2, { supersede: 'now' });
  assert.equal(codeOf(await keep(form, {}, { session, version: 1 })), '409 version_superseded');
  await call('POST', form, '/submit', { data: { what: 'The only one' } });
  await expect(form, '409 interface_full', session);
  await chancery.call('POST', `${path}/${form.id}/close`, { token: team.owner.token });
  await expect(form, '410 interface_closed', session);
});

test('the mailed link opens a page with a button: opening it changes nothing, and the button shows the answers in the form', async () => {
  const form = await formOf();
  const session = await begun(form, { what: 'Half of <it>' });
  await mailLink(form, session, 'page@example.org');
  const [secret = ''] = await mailedTo('page@example.org');
  const at = `/f/${form.publicToken}/draft/${secret}`;
  const page = await chancery.call('GET', at, { unchecked: true });
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, /Continue your form/);
  assert.equal((await read(form, session)).status, 200, 'nothing changed');
  const origin = { origin: 'http://localhost:8080', 'content-type': 'application/x-www-form-urlencoded' };
  const foreign = await chancery.call('POST', at, { unchecked: true, body: '', headers: { ...origin, origin: 'https://evil.example' } });
  assert.equal(foreign.status, 403);
  const pressed = await chancery.call('POST', at, { unchecked: true, body: '', headers: origin });
  assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, `/f/${form.publicToken}`], pressed.text);
  const cookie = `submission=${sessionOf(pressed)}`;
  const shown = await chancery.call('GET', `/f/${form.publicToken}`, { unchecked: true, headers: { cookie } });
  assert.match(shown.text, /value="Half of &lt;it&gt;"/);
  assert.doesNotMatch((await chancery.call('GET', `/f/${form.publicToken}`, { unchecked: true })).text, /Half of/);
});
