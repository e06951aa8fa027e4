import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cookiesOf, pageClient } from '../../../../../test/page-client.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../../test/harness.ts';
import { publishForm, type PublishedForm } from '../../../../../test/published-forms.ts';
import { isolationOf } from '../../../../../test/isolation.ts';
import { dropUnconfirmed } from '../../../forms/upkeep/jobs.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { FORM_SUBMITS_PER_ADDRESS: '0', FORM_SUBMITS_PER_MINUTE: '0' } });
  team = await chancery.team('Harbour & Lane');
  creator = await chancery.user(team);
});
after(() => chancery.stop());

const fields = [
  { id: 'name', type: 'text', label: 'Name', required: true },
  { id: 'mail', type: 'email', label: 'Mail' },
];
const asks = (members: object = {}) => ({ fields, config: { requireAltcha: true, createsDocument: true, ...members } });
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
let key = 0;
const { get: page, post, follow } = pageClient(() => chancery);
/** Sends a form like a browser without scripts. */
const send = ({ publicToken }: PublishedForm, answers: Record<string, string>, headers: Record<string, string> = {}) => {
  key += 1;
  const along = { _step: '1', _seen: 'name mail', _key: `key-${key}-of-the-form`, _version: '1', _locale: 'en', _go: 'on' };
  return post(`/f/${publicToken}`, { ...answers, ...along }, headers);
};
const stateOf = async ({ id }: PublishedForm) =>
  (await query('SELECT status FROM submission WHERE interface_id = $1 ORDER BY id', id)).map(({ status }) => status);
const addressOf = (n: string) => `visitor-${n}@example.org`;
const drop = () => dropUnconfirmed({ database: chancery.database, isolation: isolationOf(chancery) }, new Date());
/** Returns the path of the mailed link. */
async function mailed(to: string): Promise<string> {
  const [mail] = await query('SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1', to);
  return new URL(/https?:\/\/\S+/.exec(mail?.text_body ?? '')?.[0] ?? 'http://none/').pathname;
}

test('without a script a form with a proof of work stores the answers unconfirmed until a mailed link is opened, and they count once', async () => {
  const form = await publishForm(chancery, creator, asks());
  assert.match((await page(`/f/${form.publicToken}`)).text, /we will send a link to the e-mail address/);
  const unconfirmed = await send(form, { name: 'Ada Secret', mail: addressOf('ada') });
  assert.deepEqual([unconfirmed.status, cookiesOf(unconfirmed)], [303, ''], unconfirmed.text);
  assert.match((await follow(unconfirmed)).text, /Check your mailbox/);
  const [row] = await query(
    'SELECT id, status, confirm_until > now() + $2::interval AS long FROM submission WHERE interface_id = $1',
    form.id,
    '23 hours',
  );
  assert.deepEqual([row.status, row.long], ['held', true]);
  const nothing = async () =>
    (
      await query(
        `SELECT (SELECT count(*) FROM submission_effect WHERE submission_id = $1::uuid)::int AS effects,
         (SELECT taken FROM interface_count WHERE interface_id = $2)::int AS taken,
         (SELECT count(*) FROM event WHERE type = 'submission.received' AND convert_from(body, 'UTF8') LIKE '%' || $1::text || '%')::int AS events`,
        row.id,
        form.id,
      )
    )[0];
  assert.deepEqual(await nothing(), { effects: 0, taken: 0, events: 0 }, 'no effects before the confirmation');
  const listed = (status: string) => chancery.call('GET', `/api/v1/interfaces/${form.id}/submissions${status}`, { token: creator.token });
  assert.deepEqual([(await listed('')).body.length, (await listed('?status=held')).body.length], [0, 1], 'the team can list it by request');
  const [mail] = await query('SELECT subject, text_body FROM mail_message WHERE recipient = $1', addressOf('ada'));
  assert.doesNotMatch(`${mail.subject}${mail.text_body}`, /Ada Secret/, 'mails do not contain answers');
  const link = await mailed(addressOf('ada'));
  assert.match((await page(link)).text, /Confirm your answers/);
  assert.equal((await page(link)).status, 200, 'a GET request of a mail scanner changes nothing');
  assert.deepEqual(await stateOf(form), ['held']);
  assert.equal((await post(link, {}, { origin: undefined, 'sec-fetch-site': 'cross-site' })).status, 403);
  const tries = await Promise.all(Array.from({ length: 20 }, () => post(link, {})));
  const through = tries.filter(({ status }) => status === 303);
  assert.equal(through.length, 1, JSON.stringify(tries.map(({ status }) => status)));
  assert.ok(tries.every(({ status }) => status === 303 || status === 404));
  assert.match((await follow(through[0] ?? assert.fail())).text, /We are creating a PDF of your answers/);
  assert.deepEqual(await stateOf(form), ['received']);
  const [counted] = await query(
    `SELECT (SELECT taken FROM interface_count WHERE interface_id = $2)::int AS taken,
       (SELECT count(*) FROM submission_effect WHERE submission_id = $1::uuid)::int AS effects`,
    row.id,
    form.id,
  );
  assert.deepEqual(counted, { taken: 1, effects: 2 }, 'the document and its PDF');
});

test('the outputs of unconfirmed answers are made after the confirmation', async () => {
  const registry = await chancery.call('POST', '/api/v1/registries/', {
    token: creator.token,
    body: { name: 'Parties', fields: [{ id: 'name', type: 'text', label: 'Name' }] },
  });
  const then = [{ id: 'row', make: 'record', registryId: registry.body.id, fields: { name: { from: 'name' } } }];
  const form = await publishForm(chancery, creator, asks({ createsDocument: false, then }));
  await send(form, { name: 'Ada', mail: addressOf('outputs') });
  const outputs = () =>
    query(
      `SELECT o.output_id, (SELECT count(*) FROM job j WHERE j.team_id = s.team_id AND j.name = 'submission-outputs')::int AS jobs
       FROM submission s LEFT JOIN submission_output o ON o.team_id = s.team_id AND o.submission_id = s.id WHERE s.interface_id = $1`,
      form.id,
    );
  assert.deepEqual(await outputs(), [{ output_id: null, jobs: 0 }]);
  assert.equal((await post(await mailed(addressOf('outputs')), {})).status, 303);
  assert.deepEqual(await outputs(), [{ output_id: 'row', jobs: 1 }]);
});

test('without an e-mail address, and for API clients, the proof is required; an address gets at most three mails', async () => {
  const form = await publishForm(chancery, creator, asks());
  const without = await send(form, { name: 'Ada' });
  assert.deepEqual([without.status, await stateOf(form)], [400, []]);
  const viaApi = await chancery.call('POST', `/api/v1/interfaces/public/${form.publicToken}/submit`, {
    body: { data: { name: 'A', mail: addressOf('a') } },
  });
  assert.deepEqual([viaApi.status, viaApi.body.code], [400, 'altcha_required']);
  const scripted = await send(form, { name: 'Ada', mail: addressOf('a') }, { 'x-page': '1' });
  assert.equal(scripted.status, 400, 'a script computes the proof');
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push((await send(form, { name: 'Ada', mail: addressOf('many') })).status);
  assert.deepEqual(
    [answers, await stateOf(form)],
    [
      [303, 303, 303, 429],
      ['held', 'held', 'held'],
    ],
  );
  await query(
    `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, confirm_hash, confirm_until, created_at, updated_at)
     SELECT $1, gen_random_uuid(), $2, 1, 'public', 'held', '{}', 'x', now() + interval '1 day', now(), now() FROM generate_series(1, 200)`,
    team.id,
    form.id,
  );
  assert.equal(
    (await send(form, { name: 'Ada', mail: addressOf('late') })).status,
    400,
    'the number of unconfirmed submissions of a form is limited',
  );
});

test('unconfirmed answers are deleted after a day; links of another form, of a closed form and expired links confirm nothing', async () => {
  const [form, other] = [await publishForm(chancery, creator, asks()), await publishForm(chancery, creator, asks())];
  await send(form, { name: 'Ada', mail: addressOf('slow') });
  const link = await mailed(addressOf('slow'));
  assert.equal((await post(link.replace(form.publicToken, other.publicToken), {})).status, 404);
  await query("UPDATE submission SET confirm_until = now() - interval '1 second' WHERE interface_id = $1", form.id);
  assert.equal((await post(link, {})).status, 404);
  await drop();
  assert.deepEqual(await stateOf(form), []);
  await send(form, { name: 'Ada', mail: addressOf('closing') });
  const late = await mailed(addressOf('closing'));
  await chancery.call('POST', `/api/v1/interfaces/${form.id}/close`, { token: creator.token });
  assert.equal((await post(late, {})).status, 410);
  assert.deepEqual(await stateOf(form), ['held']);
});

const hold = async (at: string, body: object) => {
  const answer = await chancery.call('POST', `/api/v1/smartdoc/holds/${at}`, { token: team.owner.token, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
/** Creates unconfirmed answers. */
const waiting = (form: PublishedForm, count: number) =>
  query(
    `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, confirm_hash, confirm_until, created_at, updated_at)
     SELECT $1, gen_random_uuid(), $2, 1, 'public', 'held', '{}', 'x', now(), now(), now() FROM generate_series(1, $3::integer)`,
    team.id,
    form.id,
    count,
  );
/** Moves their submission into the past by hours. */
const ago = (form: PublishedForm, hours: number) =>
  query(
    "UPDATE submission SET created_at = now() - $2 * interval '1 hour', confirm_until = now() - ($2 - 24) * interval '1 hour' WHERE interface_id = $1",
    form.id,
    hours,
  );

test('a legal hold keeps unconfirmed answers after their day, without confirming them or blocking others, until the hold is lifted', async () => {
  const folder = await chancery.folder(creator);
  const form = await publishForm(chancery, creator, asks({ folderId: folder.id }));
  await send(form, { name: 'Ada', mail: addressOf('held') });
  const link = await mailed(addressOf('held'));
  const placed = await hold('', { folderId: folder.id, reason: 'Litigation' });
  await waiting(form, 200);
  await ago(form, 25);
  await drop();
  assert.equal((await stateOf(form)).length, 201, 'the legal hold takes precedence over the deletion');
  assert.equal((await post(link, {})).status, 404, 'the link is deleted after its day');
  const listed = await chancery.call('GET', `/api/v1/interfaces/${form.id}/submissions?status=held&limit=500`, { token: creator.token });
  assert.equal(listed.body.length, 201, 'the team can list the kept answers');
  const [first] = await query("SELECT id FROM submission WHERE interface_id = $1 AND data <> '{}'", form.id);
  const erased = await chancery.call('DELETE', `/api/v1/interfaces/${form.id}/submissions/${first.id}`, { token: creator.token });
  assert.deepEqual([erased.status, erased.body.code], [409, 'legal_hold_active']);
  const now = await send(form, { name: 'Bea', mail: addressOf('new') });
  assert.equal(now.status, 303, `answers under a legal hold do not count towards the limit: ${now.text}`);
  await hold(`${placed.id}/lift`, { reason: 'Settled' });
  await drop();
  assert.equal((await stateOf(form)).length, 1, 'the answers of today stay unconfirmed');
});

test('unconfirmed answers are not deleted after a concurrent legal hold takes effect', async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = await chancery.folder(creator);
    const form = await publishForm(chancery, creator, asks({ folderId: folder.id }));
    await waiting(form, 50);
    await ago(form, 25);
    const passes = Promise.all(Array.from({ length: 5 }, drop));
    await hold('', { folderId: folder.id, reason: 'Litigation' });
    const stood = await stateOf(form);
    await passes;
    assert.deepEqual(await stateOf(form), stood);
  }
});
