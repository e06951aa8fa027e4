import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
/** The offset of the clock, in milliseconds. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);

before(async () => {
  chancery = await startChancery({ role: 'api', clock: now });
  team = await chancery.team();
  creator = await chancery.user(team);
});
after(() => chancery.stop());

const at50 = Array.from({ length: 50 }, (_, n) => n);
const nameField = { id: 'name', type: 'text', label: 'Name', required: true };
type Form = { id: string; publicToken: string; apiToken: string };

async function formOf(members: object = {}, by: User = creator): Promise<Form> {
  const made = await chancery.call('POST', `${path}/`, {
    token: by.token,
    body: { title: `Form ${randomUUIDv7()}`, type: 'form', fields: [nameField], ...members },
  });
  assert.equal(made.status, 201, made.text);
  return publish(made.body.id, 1, {}, by);
}
async function publish(id: string, revision: number, more: object = {}, by: User = creator): Promise<Form> {
  const answer = await chancery.call('POST', `${path}/${id}/publish`, { token: by.token, body: { revision, ...more } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
type SubmitOptions = { version?: number; altcha?: unknown; locale?: string };
const submit = ({ publicToken }: Form, data: object, { headers, ...more }: SubmitOptions & { headers?: Record<string, string> } = {}) =>
  chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data, ...more }, ...(headers ? { headers } : {}) });
const submitted = async (form: Form, data: object, more?: Parameters<typeof submit>[2]) => {
  const answer = await submit(form, data, more);
  assert.equal(answer.status, 200, answer.text);
  return answer;
};
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
const submissionsOf = ({ id }: Form) => query('SELECT * FROM submission WHERE interface_id = $1 ORDER BY id', id);
/** The effects in the transaction. The PDF of a document follows in a separate job. */
const effectsOf = (id: string) =>
  query("SELECT kind, status, result_id, code FROM submission_effect WHERE submission_id = $1 AND kind <> 'pdf' ORDER BY kind", id);
const codes = (answers: { status: number; body: any }[]) =>
  Object.entries(Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim()))
    .map(([code, all]) => `${all?.length} × ${code}`)
    .toSorted();

test('a submission is stored with its version as the definition accepts it, and its event contains no answers', async () => {
  const form = await formOf({ fields: [nameField, { id: 'kind', type: 'hidden', default: 'web' }] });
  const { body } = await submitted(form, { name: '  Ada  ', kind: 'forged', other: 'unknown' }, { headers: { 'accept-language': 'de' } });
  assert.deepEqual(Object.keys(body).toSorted(), ['hasSession', 'message', 'submissionId', 'success']);
  assert.deepEqual([body.success, body.hasSession, body.message], [true, false, 'Thank you. Your answers have been received.']);
  const [row] = await submissionsOf(form);
  assert.deepEqual(
    [row.id, row.data, row.version, row.channel, row.status],
    [body.submissionId, { name: 'Ada', kind: 'web' }, 1, 'public', 'received'],
  );
  const [entry] = await query("SELECT * FROM audit_entry WHERE target_id = $1 AND type = 'submission.received'", body.submissionId);
  assert.deepEqual(
    [entry.actor_type, entry.ip, entry.data],
    ['visitor', null, { interfaceId: form.id, version: 1, channel: 'public', fields: ['name', 'kind'] }],
  );
  const [event] = await query(
    "SELECT convert_from(body, 'UTF8') AS body FROM event WHERE body LIKE ('%' || $1 || '%')::bytea",
    body.submissionId,
  );
  assert.doesNotMatch(event.body, /Ada/);
  const [{ received }] = await query('SELECT received::int FROM interface_day WHERE interface_id = $1', form.id);
  assert.equal(received, 1);
});

test('an answer without a field is accepted, because the contract allows it, and named in a warning with the nearest field', async () => {
  const form = await formOf({ fields: [nameField, { id: 'phone', type: 'text', label: 'Phone' }] });
  const warningOf = ({ headers }: { headers: Headers }) => headers.get('warning');
  const misspelt = { name: 'Ada', fone: '1', _website: '' };
  const expected = '299 - "Ignored answers: fone is unknown; did you mean `phone`?"';
  const key = { headers: { 'idempotency-key': randomUUIDv7() } };
  assert.equal(warningOf(await submitted(form, misspelt, key)), expected);
  assert.equal(warningOf(await submitted(form, misspelt, key)), expected, 'a stored response has the same warning');
  const api = await chancery.call('POST', `${path}/api/${form.apiToken}/submit`, { body: { data: misspelt } });
  assert.deepEqual([api.status, warningOf(api)], [200, expected]);
  assert.equal(warningOf(await submitted(form, { name: 'Ada', phone: '1' })), null);
  const calendar = { timeZone: 'Europe/Berlin', durationMin: 30, weekly: { mon: [['09:00', '17:00']] } };
  const booking = await formOf({ type: 'scheduling', calendar });
  const { body } = await chancery.call('GET', `${path}/public/${booking.publicToken}/availability?from=${dayAhead(1)}&to=${dayAhead(14)}`);
  const [{ start }] = body.slots;
  assert.equal(
    warningOf(await submitted(booking, { name: 'Ada', start, timezone: 'Asia/Tokyo' })),
    '299 - "Ignored answers: timezone is unknown; did you mean `timeZone`?"',
  );
});
const dayAhead = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

test('a language that the form does not have is replaced by its default, which the submission shows', async () => {
  const form = await formOf({ fields: [nameField], publicSettings: { locale: 'de', locales: ['de', 'fr'] } });
  for (const locale of ['fr-CA', 'ja']) await submitted(form, { name: 'Ada' }, { locale });
  const listed = await chancery.call('GET', `${path}/${form.id}/submissions`, { token: creator.token });
  assert.deepEqual(
    listed.body.map(({ locale }: any) => locale),
    ['de', 'fr'],
  );
});

test('invalid answers are reported one by one in the requested language, and nothing is stored', async () => {
  const form = await formOf({
    fields: [nameField, { id: 'mail', type: 'email', label: 'Mail' }],
    publicSettings: { locale: 'en', locales: ['en', 'de'] },
  });
  const { status, body } = await submit(form, { mail: 'x' }, { locale: 'de' });
  assert.deepEqual([status, body.code], [422, 'submission_invalid']);
  assert.deepEqual(
    body.errors.map(({ pointer, rule, reason }: any) => [pointer, rule, reason]),
    [
      ['/data/name', 'required', 'Bitte beantworten Sie diese Frage.'],
      ['/data/mail', 'email', 'Bitte geben Sie eine E-Mail-Adresse ein, etwa name@example.com.'],
    ],
  );
  assert.deepEqual(await submissionsOf(form), []);
  const large = await submit(form, { name: 'A', other: 'x'.repeat(64 * 1024) });
  assert.deepEqual([large.status, large.body.code], [413, 'payload_too_large']);
  const odd: [object, number][] = [
    [{ name: 'a\u0000b' }, 422],
    [{ name: '\ud800' }, 422],
    [{ name: { $ne: 1 } }, 422],
    [{ name: ['x'] }, 422],
  ];
  for (const [data, expected] of odd) assert.equal((await submit(form, data)).status, expected, JSON.stringify(data));
  for (const raw of ['{}', '{"data":[]}', '{"data":null}', '{"data":"x"}', '[]', '']) {
    const answer = await chancery.call('POST', `${path}/public/${form.publicToken}/submit`, {
      body: raw,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 400, raw);
  }
});

test('an invalid link, a closed form and a form that is not open yet accept nothing', async () => {
  const form = await formOf();
  const wrong = { ...form, publicToken: 'x'.repeat(64) };
  assert.deepEqual(
    [(await submit(wrong, { name: 'A' })).status, (await submit(wrong, { name: 'A' })).body.code],
    [404, 'interface_not_found'],
  );
  assert.equal((await submit({ ...form, publicToken: form.apiToken }, { name: 'A' })).status, 404, 'each token opens only its own channel');
  await chancery.call('POST', `${path}/${form.id}/rotate-token`, { token: creator.token, body: { channel: 'public' } });
  assert.equal((await submit(form, { name: 'A' })).status, 404, 'a replaced link');
  const closed = await formOf();
  await chancery.call('POST', `${path}/${closed.id}/close`, { token: creator.token });
  assert.deepEqual(
    [(await submit(closed, { name: 'A' })).status, (await submit(closed, { name: 'A' })).body.code],
    [410, 'interface_closed'],
  );
  const later = await formOf({ publicSettings: { opensAt: new Date(Date.now() + 60_000).toISOString() } });
  assert.equal((await submit(later, { name: 'A' })).body.code, 'interface_closed');
});

test('of 50 concurrent submissions, a form accepts its maximum, and none is stored partially', async () => {
  const form = await formOf({ publicSettings: { maxSubmissions: 7 }, config: { createsDocument: true } });
  const answers = await Promise.all(at50.map((n) => submit(form, { name: `N${n}` })));
  assert.deepEqual(codes(answers), ['43 × 409 interface_full', '7 × 200']);
  assert.equal((await submissionsOf(form)).length, 7);
  const [{ documents }] = await query("SELECT count(*)::int AS documents FROM document WHERE metadata ->> 'interfaceId' = $1", form.id);
  assert.equal(documents, 7);
  assert.equal((await submit(form, { name: 'late' })).body.code, 'interface_full');
});

test('50 requests with the same key give one submission, one response and one session', async () => {
  const form = await formOf({ config: { createsDocument: true } });
  const headers = { 'idempotency-key': randomUUIDv7() };
  const answers = await Promise.all(at50.map(() => submit(form, { name: 'Ada' }, { headers })));
  const done = answers.filter(({ status }) => status === 200);
  assert.ok(done.length > 0);
  assert.deepEqual(
    new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)),
    new Set(answers.length > done.length ? ['idempotency_in_progress'] : []),
  );
  const again = await submitted(form, { name: 'Ada' }, { headers });
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const all = [...done, again];
  assert.equal(new Set(all.map(({ body }) => body.submissionId)).size, 1);
  // A client that lost the response gets the session with the repeated response.
  assert.equal(new Set(all.map((answer) => answer.headers.get('x-submission-session'))).size, 1);
  assert.equal((await submissionsOf(form)).length, 1);
  assert.deepEqual((await submit(form, { name: 'Other' }, { headers })).body.code, 'idempotency_key_reused');
  const elsewhere = await formOf();
  await submitted(elsewhere, { name: 'Ada' }, { headers });
  const viaApi = await chancery.call('POST', `${path}/api/${form.apiToken}/submit`, { body: { data: { name: 'Ada' } }, headers });
  assert.equal(viaApi.status, 200, 'a key is valid for one channel');
  assert.equal((await submissionsOf(form)).length, 2);
});

test('a repetition in the session that the first request started is the same submission; another session with the key gets a new one', async () => {
  const form = await formOf({ config: { createsDocument: true } });
  const key = { 'idempotency-key': randomUUIDv7() };
  const first = await submitted(form, { name: 'Ada' }, { headers: key });
  const session = { 'x-submission-session': first.headers.get('x-submission-session') ?? '' };
  const again = await Promise.all(at50.map(() => submit(form, { name: 'Ada' }, { headers: { ...key, ...session } })));
  // One request is answered while the others wait for the key. Those get an error to retry.
  assert.deepEqual(
    new Set(again.flatMap(({ status, body }) => (status === 200 ? body.submissionId : []))),
    new Set([first.body.submissionId]),
  );
  assert.equal((await submissionsOf(form)).length, 1);
  const other = await submitted(form, { name: 'Bob' });
  const theirs = { ...key, 'x-submission-session': other.headers.get('x-submission-session') ?? '' };
  assert.notEqual((await submitted(form, { name: 'Ada' }, { headers: theirs })).body.submissionId, first.body.submissionId);
  assert.equal((await submissionsOf(form)).length, 3);
});

test('the session is sent as a cookie for the link and as a header, and a client with a session keeps it', async () => {
  const form = await formOf({ config: { createsDocument: true } });
  const first = await submitted(form, { name: 'Ada' });
  assert.equal(first.body.hasSession, true);
  const token = first.headers.get('x-submission-session') ?? '';
  const cookies = first.headers.getSetCookie();
  assert.deepEqual(cookies, [
    `submission=${token}; Path=/api/v1/interfaces/public/${form.publicToken}; HttpOnly; SameSite=Lax`,
    `submission=${token}; Path=/f/${form.publicToken}; HttpOnly; SameSite=Lax`,
  ]);
  const second = await submitted(form, { name: 'Bob' }, { headers: { cookie: `submission=${token}` } });
  assert.equal(second.headers.get('x-submission-session'), null);
  const rows = await submissionsOf(form);
  assert.ok(rows[0].session_id !== null && rows[0].session_id === rows[1].session_id);
  const other = await formOf({ config: { createsDocument: true } });
  const elsewhere = await submitted(other, { name: 'Eve' }, { headers: { 'x-submission-session': token } });
  assert.notEqual(elsewhere.headers.get('x-submission-session'), null, 'a session is valid for one form');
  const [stored] = await query('SELECT hash FROM submission_session WHERE id = $1', rows[0].session_id);
  assert.doesNotMatch(stored.hash.toString('latin1'), new RegExp(token));
});

test('a document and a workflow are created with the rights of the publisher, and the journal names the visitor', async () => {
  const folder = await chancery.folder(creator, { name: `Intake ${randomUUIDv7()}` });
  const form = await formOf({ config: { createsDocument: true, startsTemplate: 'incident-report', folderId: folder.id } });
  const { body } = await submitted(form, { name: 'Ada' });
  const effects = await effectsOf(body.submissionId);
  assert.deepEqual(
    effects.map(({ kind, status }) => [kind, status]),
    [
      ['document', 'done'],
      ['workflow', 'done'],
    ],
  );
  const [documentId, workflowId] = effects.map(({ result_id: made }) => made);
  const document = await chancery.call('GET', `/api/v1/smartdoc/documents/${documentId}`, { token: creator.token });
  assert.deepEqual(
    [document.body.folderId, document.body.metadata],
    [folder.id, { interfaceId: form.id, submissionId: body.submissionId }],
  );
  assert.doesNotMatch(document.body.title, /Ada/);
  const workflow = await chancery.call('GET', `/api/v1/workflows/${workflowId}`, { token: creator.token });
  assert.deepEqual([workflow.body.status, workflow.body.documentId, workflow.body.createdBy], ['active', documentId, creator.id]);
  const entries = await query('SELECT type, actor_type FROM audit_entry WHERE target_id = ANY ($1) ORDER BY id', [
    documentId,
    workflowId,
    body.submissionId,
  ]);
  assert.ok(entries.length > 3 && entries.every(({ actor_type: by }) => by === 'visitor'), JSON.stringify(entries));
  // The publisher did not create this task in person, so the publisher is notified of it.
  const mails = await query('SELECT recipient FROM mail_message WHERE recipient = $1', creator.email);
  assert.ok(mails.length > 0);
});

test('a rejected effect is stored as failed, and the submission still succeeds', async () => {
  const folder = await chancery.folder(creator, { name: `Gone ${randomUUIDv7()}` });
  const form = await formOf({ config: { createsDocument: true, startsTemplate: 'incident-report', folderId: folder.id } });
  const barrier = await chancery.call('DELETE', `/api/v1/smartdoc/folders/${folder.id}`, { token: creator.token });
  assert.ok(barrier.status < 300, barrier.text);
  const { body } = await submitted(form, { name: 'Ada' });
  assert.equal(body.success, true);
  assert.deepEqual(
    (await effectsOf(body.submissionId)).map(({ kind, status, code }) => [kind, status, code]),
    [
      ['document', 'failed', 'parent_not_found'],
      ['workflow', 'done', null],
    ],
  );
  assert.equal((await submissionsOf(form))[0].status, 'failed');
  const [event] = await query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'submission.failed'", body.submissionId);
  assert.deepEqual(event.data, { interfaceId: form.id, kind: 'document', code: 'parent_not_found' });
});

test('an exhausted quota rejects the document but not the submission', async () => {
  const small = await chancery.team();
  const form = await formOf({ config: { createsDocument: true } }, small.owner);
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'documents', 0)", [small.id]);
  const { body } = await submitted(form, { name: 'Ada' });
  assert.deepEqual(
    (await effectsOf(body.submissionId)).map(({ status, code }) => [status, code]),
    [['failed', 'quota_exceeded']],
  );
  assert.equal((await submissionsOf(form)).length, 1);
});

test('after the publisher has left, effects use the rights of the owner of the form; without an owner they fail', async () => {
  const own = await chancery.team();
  const leaver = await chancery.user(own, { role: 'admin' });
  const form = await formOf({ config: { createsDocument: true } }, leaver);
  await chancery.pool.query('UPDATE interface SET owner_id = $1 WHERE id = $2', [own.owner.id, form.id]);
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [leaver.id]);
  const { body } = await submitted(form, { name: 'Ada' });
  const [effect] = await effectsOf(body.submissionId);
  const [document] = await query('SELECT user_id FROM document WHERE id = $1', effect?.result_id);
  assert.equal(document.user_id, own.owner.id);
});

test('answers to the previous version are accepted for a day, unless it was superseded at once', async () => {
  const form = await formOf();
  const change = (revision: number) =>
    chancery.call('PUT', `${path}/${form.id}`, {
      token: creator.token,
      body: { revision, fields: [nameField, { ...nameField, id: `more${revision}` }] },
    });
  await change(1);
  await publish(form.id, 2);
  assert.equal((await submit(form, { name: 'Ada' }, { version: 1 })).status, 200);
  assert.equal((await submit(form, { name: 'Ada' })).status, 422, 'the current version requires more');
  try {
    ahead = 24 * 3_600_000 + 1_000;
    const late = await submit(form, { name: 'Ada' }, { version: 1 });
    assert.deepEqual([late.status, late.body.code, late.body.version], [409, 'version_superseded', 2]);
  } finally {
    ahead = 0;
  }
  await change(2);
  await publish(form.id, 3, { supersede: 'now' });
  for (const version of [1, 2, 4]) assert.equal((await submit(form, { name: 'Ada' }, { version })).body.code, 'version_superseded');
  assert.deepEqual(
    (await submissionsOf(form)).map(({ version }) => version),
    [1],
  );
});

async function proofFor({ publicToken }: Form) {
  const { body, status, text } = await chancery.call('GET', `${path}/public/${publicToken}/altcha?v=2`);
  assert.equal(status, 200, text);
  const solution = await solveChallenge({ challenge: body as Challenge, deriveKey });
  assert.ok(solution);
  return { challenge: body, solution };
}

test('a form with proof of work accepts each proof once, and only with valid answers', async () => {
  const [form, other] = [await formOf({ config: { requireAltcha: true } }), await formOf({ config: { requireAltcha: true } })];
  assert.equal((await submit(form, { name: 'Ada' })).body.code, 'altcha_required');
  assert.equal((await submit(form, { name: 'Ada' }, { altcha: await proofFor(other) })).body.code, 'altcha_invalid');
  const signUp = await chancery.call('GET', '/api/v1/security/auth/altcha?v=2');
  const solution = await solveChallenge({ challenge: signUp.body as Challenge, deriveKey });
  assert.equal((await submit(form, { name: 'Ada' }, { altcha: { challenge: signUp.body, solution } })).body.code, 'altcha_invalid');
  const altcha = await proofFor(form);
  assert.equal((await submit(form, {}, { altcha })).status, 422);
  const answers = await Promise.all(at50.map((n) => submit(form, { name: `N${n}` }, { altcha })));
  assert.deepEqual(codes(answers), ['1 × 200', '49 × 400 altcha_already_used']);
  // A repetition with the same key gets the stored response regardless of its proof.
  const headers = { 'idempotency-key': randomUUIDv7() };
  const first = await submitted(form, { name: 'Bob' }, { altcha: await proofFor(form), headers });
  const again = await submitted(form, { name: 'Bob' }, { altcha: 'another', headers });
  assert.equal(first.body.submissionId, again.body.submissionId);
  const viaApi = await chancery.call('POST', `${path}/api/${form.apiToken}/submit`, { body: { data: { name: 'Ada' } } });
  assert.equal(viaApi.status, 200, 'programs need no proof');
});

test('a program gets errors with pointers and English texts for developers', async () => {
  const form = await formOf({
    fields: [
      nameField,
      { id: 'sum', type: 'money', label: 'Sum', validation: { max: 100, message: 'Ask us for more.' } },
      { id: 'day', type: 'date', label: 'Day' },
      { id: 'proof', type: 'file', label: 'Proof' },
    ],
    publicSettings: { locale: 'de' },
  });
  const viaApi = (data: object) => chancery.call('POST', `${path}/api/${form.apiToken}/submit`, { body: { data, locale: 'de' } });
  const reasons = async (data: object) => (await viaApi(data)).body.errors.map(({ pointer, reason }: any) => `${pointer} ${reason}`);
  assert.deepEqual(await reasons({ sum: { amount: '200.00', currency: 'EUR' }, day: '30.11.2026' }), [
    '/data/name is required',
    '/data/sum must be at most 100',
    '/data/day must be a date such as 2026-11-30',
  ]);
  assert.deepEqual(await reasons({ name: 'Ada', proof: randomUUIDv7() }), [
    '/data/proof must be the id of a file that was uploaded for this submission',
  ]);
  const { body } = await viaApi({ day: '1' });
  assert.equal(body.detail, 'Some answers are invalid. /data/name: is required; /data/day: must be a date such as 2026-11-30.');
  const [{ reason }] = (await submit(form, { name: 'Ada', sum: { amount: '200.00', currency: 'EUR' } })).body.errors;
  assert.equal(reason, 'Ask us for more.', 'a visitor gets the text of the form');
});

test('the maximum number of submissions is that of the published version, even for answers to the previous one', async () => {
  const form = await formOf({ publicSettings: { maxSubmissions: 1 } });
  await submitted(form, { name: 'Ada' });
  assert.equal((await submit(form, { name: 'Bob' })).body.code, 'interface_full');
  await chancery.call('PUT', `${path}/${form.id}`, { token: creator.token, body: { publicSettings: { maxSubmissions: 2 } } });
  await publish(form.id, 2);
  const answers = await Promise.all(at50.map((n) => submit(form, { name: `N${n}` }, { version: 1 })));
  assert.deepEqual(codes(answers), ['1 × 200', '49 × 409 interface_full']);
});

test('a submission with the honeypot field is stored as spam, is not counted, and gets a normal response', async () => {
  const form = await formOf({ config: { createsDocument: true }, publicSettings: { maxSubmissions: 1 } });
  const caught = await submitted(form, { _website: 'https://spam.example' });
  assert.deepEqual([caught.body.success, caught.body.hasSession, caught.headers.get('x-submission-session')], [true, false, null]);
  const person = await submitted(form, { name: 'Ada', _website: '' });
  assert.deepEqual(
    (await submissionsOf(form)).map(({ status, data }) => [status, data]),
    [
      ['spam', {}],
      ['received', { name: 'Ada' }],
    ],
  );
  assert.deepEqual(await effectsOf(caught.body.submissionId), []);
  const [{ received, spam }] = await query('SELECT received::int, spam::int FROM interface_day WHERE interface_id = $1', form.id);
  assert.deepEqual([received, spam], [1, 1]);
  assert.equal((await effectsOf(person.body.submissionId)).length, 1);
});

test('a link gives the same errors for its challenge and for both channels, and a proof expires', async () => {
  const form = await formOf({ config: { requireAltcha: true }, publicSettings: { maxSubmissions: 1 } });
  const challenge = (of: Form) => chancery.call('GET', `${path}/public/${of.publicToken}/altcha`);
  const viaApi = (of: Form, data: object, more: object = {}) =>
    chancery.call('POST', `${path}/api/${of.apiToken}/submit`, { body: { data, ...more } });
  assert.equal((await challenge({ ...form, publicToken: 'x'.repeat(64) })).body.code, 'interface_not_found');
  assert.deepEqual(Object.keys((await challenge(form)).body).toSorted(), ['algorithm', 'challenge', 'maxnumber', 'salt', 'signature']);
  const old = await proofFor(form);
  ahead = 601_000;
  assert.equal((await submit(form, { name: 'Ada' }, { altcha: old })).body.code, 'altcha_expired');
  ahead = 0;
  assert.equal((await viaApi(form, {})).body.code, 'submission_invalid');
  assert.equal((await viaApi(form, { name: 'Ada' }, { version: 2 })).body.code, 'version_superseded');
  assert.equal((await viaApi(form, { name: 'Ada' })).status, 200);
  assert.equal((await challenge(form)).body.code, 'interface_full');
  assert.equal((await viaApi(form, { name: 'Ada' })).body.code, 'interface_full');
  await chancery.call('POST', `${path}/${form.id}/close`, { token: creator.token });
  assert.equal((await challenge(form)).body.code, 'interface_closed');
  assert.equal((await viaApi(form, { name: 'Ada' })).body.code, 'interface_closed');
});

test('a team at its quota of submissions accepts none', async () => {
  const small = await chancery.team();
  const form = await formOf({}, small.owner);
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'submissions', 1)", [small.id]);
  const answers = await Promise.all(at50.map((n) => submit(form, { name: `N${n}` })));
  assert.deepEqual(codes(answers), ['1 × 200', '49 × 409 quota_exceeded']);
  const viaApi = await chancery.call('POST', `${path}/api/${form.apiToken}/submit`, { body: { data: { name: 'Ada' } } });
  assert.equal(viaApi.body.code, 'quota_exceeded');
  for (const { body, text } of [viaApi, ...answers.filter(({ status }) => status === 409)]) {
    assert.doesNotMatch(text, /submissions|\d of/, 'the error does not disclose figures of the team');
    assert.equal(body.quota, undefined);
  }
});

test('programs submit with their own token in the shape of the contract', async () => {
  const form = await formOf();
  const { status, body, headers } = await chancery.call('POST', `${path}/api/${form.apiToken}/submit`, { body: { data: { name: 'Ada' } } });
  assert.deepEqual([status, Object.keys(body).toSorted(), headers.get('set-cookie')], [200, ['submissionId', 'success'], null]);
  assert.equal((await submissionsOf(form))[0].channel, 'api');
  assert.equal((await chancery.call('POST', `${path}/api/${form.publicToken}/submit`, { body: { data: {} } })).status, 404);
});

test('an upload is used once, by the session that sent it, in a field that accepts it', async () => {
  const form = await formOf({
    fields: [nameField, { id: 'proof', type: 'file', label: 'Proof', validation: { accept: ['image/*'], maxSizeMb: 1 } }],
    config: { createsDocument: true },
  });
  const { headers } = await submitted(form, { name: 'Ada' });
  const session = headers.get('x-submission-session') ?? '';
  const [{ session_id: sessionId }] = await submissionsOf(form);
  const upload = async (of: string | null, more: { type?: string; size?: number; expires?: string } = {}) => {
    const id = randomUUIDv7();
    await chancery.pool.query(
      `INSERT INTO submission_upload (team_id, id, interface_id, session_id, storage_key, name, media_type, size, sha256, created_at, expires_at)
       VALUES ($1, $2, $3, $4, 'a', 'a.png', $5, $6, 'x', now(), now() + $7::interval)`,
      [team.id, id, form.id, of, more.type ?? 'image/png', more.size ?? 10, more.expires ?? '1 day'],
    );
    return id;
  };
  const send = (proof: string, as = session) => submit(form, { name: 'Ada', proof }, { headers: { 'x-submission-session': as } });
  const mine = await upload(sessionId);
  const answers = await Promise.all(at50.map(() => send(mine)));
  assert.deepEqual(codes(answers), ['1 × 200', '49 × 422 submission_invalid']);
  const refused: [string, string][] = [
    [await upload(null), 'upload'],
    [await upload(sessionId, { expires: '-1 second' }), 'upload'],
    [randomUUIDv7(), 'upload'],
    [await upload(sessionId, { type: 'application/pdf' }), 'accept'],
    [await upload(sessionId, { size: 2 * 1024 * 1024 }), 'maxSizeMb'],
  ];
  for (const [id, rule] of refused)
    assert.deepEqual(
      (await send(id)).body.errors?.map((one: any) => [one.pointer, one.rule]),
      [['/data/proof', rule]],
    );
  assert.equal((await send(await upload(sessionId), 'x'.repeat(43))).status, 422, 'without the session');
});

test('a form has a limit per minute in total and per address, and the error has the time to wait', async () => {
  const strict = await startChancery({
    role: 'api',
    settings: { FORM_SUBMITS_PER_MINUTE: '5', FORM_SUBMITS_PER_ADDRESS: '3', TRUSTED_PROXIES: '127.0.0.1' },
  });
  try {
    const own = await strict.team();
    const made = await strict.call('POST', `${path}/`, { token: own.owner.token, body: { title: 'F', type: 'form', fields: [nameField] } });
    const { body: form } = await strict.call('POST', `${path}/${made.body.id}/publish`, { token: own.owner.token, body: { revision: 1 } });
    const send = (from: string) =>
      strict.call('POST', `${path}/public/${form.publicToken}/submit`, {
        body: { data: { name: 'A' } },
        headers: { 'x-forwarded-for': from },
      });
    const statuses: number[] = [];
    for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
      const answer = await send(from);
      statuses.push(answer.status);
      if (answer.status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 200, 200, 429]);
  } finally {
    await strict.stop();
  }
});
