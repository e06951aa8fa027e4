import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asking, file } from '../../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { isolationOf } from '../../../../test/isolation.ts';
import { mailsTo } from '../../../../test/people.ts';
import { listeners } from '../../../listeners.ts';
import { dateWorkflowJob } from '../../../work/workflows/key-dates/index.ts';
import { announceDates } from './index.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  await chancery.pool.query("UPDATE team SET time_zone = 'Europe/Berlin' WHERE team_id = $1", [team.id]);
});
after(() => chancery.stop());

const { call, made, shareDocument, folderBy } = asking(() => chancery);
const document = async (by: User, members: Record<string, string> = {}): Promise<string> =>
  (await made(by, 'POST', `${documents}/`, file(members))).id;
const put = (by: User, id: string, body: object, headers?: Record<string, string>) =>
  call(by, 'PUT', `${documents}/${id}/dates`, body, headers);
const deps = () => ({ database: chancery.database, listeners, isolation: isolationOf(chancery) });
/** Runs the job twice; the second run announces nothing more. */
async function passAt(time: string): Promise<void> {
  for (const _ of [1, 2]) await announceDates(deps(), new Date(time));
}
async function announcedDates(id: string): Promise<string[]> {
  const { rows } = await chancery.pool.query(
    "SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'document.date_approaching' ORDER BY id",
    [id],
  );
  return rows.map(({ data }) => `${data.kind} ${data.date}`);
}
const dateMails = async (to: User) => (await mailsTo(chancery, to.email)).map(({ subject }) => subject).toReversed();
/** Far enough that no date of it is past when the test runs. */
const years = (from: number) => `20${from}`;

test('dates are replaced as a whole with their own version, shown with the calculated days, and rejected if inconsistent', async () => {
  const [creator, reader] = [await chancery.user(team), await chancery.user(team)];
  const id = await document(creator);
  await shareDocument(creator, id, reader, 'read');
  const unset = await call(creator, 'GET', `${documents}/${id}/dates`);
  assert.deepEqual(unset.body, { documentId: id, renewal: 'none', remindBefore: 'P30D', timezone: 'Europe/Berlin' });
  const body = { effectiveAt: '2026-06-01', expiresAt: `${years(70)}-05-31`, noticePeriod: 'P3M', renewal: 'tacit', renewalPeriod: 'P1Y' };
  const set = await put(creator, id, body, { 'if-match': unset.headers.get('etag') ?? '' });
  assert.equal(set.status, 200, set.text);
  const { updatedAt, ...shown } = set.body;
  assert.ok(updatedAt);
  assert.deepEqual(shown, {
    documentId: id,
    ...body,
    remindBefore: 'P30D',
    noticeAt: '2070-02-28',
    endsAt: '2070-05-31',
    timezone: 'Europe/Berlin',
    setBy: creator.id,
    setByType: 'user',
  });
  assert.equal((await put(creator, id, body, { 'if-match': unset.headers.get('etag') ?? '' })).status, 412);
  const read = await call(reader, 'GET', `${documents}/${id}/dates`);
  assert.equal(read.headers.get('etag'), set.headers.get('etag'));
  assert.equal((await put(creator, id, read.body, { 'if-match': read.headers.get('etag') ?? '' })).status, 200, 'as it was read');
  assert.equal((await put(reader, id, body)).status, 403);
  for (const [wrong, pointer] of [
    [{ ...body, renewalPeriod: null }, '/renewalPeriod'],
    [{ ...body, renewal: 'none' }, '/renewalPeriod'],
    [{ ...body, renewalPeriod: 'P0D' }, '/renewalPeriod'],
    [{ ...body, expiresAt: null }, '/expiresAt'],
    [{ renewal: 'by_agreement' }, '/expiresAt'],
    [{ effectiveAt: '2026-06-01', expiresAt: '2026-05-31' }, '/expiresAt'],
    [{ expiresAt: '1999-01-01', noticePeriod: 'P999Y9999M9999W' }, '/noticePeriod'],
  ] as const) {
    const refused = await put(creator, id, wrong);
    assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].pointer], [422, 'dates_invalid', pointer], refused.text);
  }
  for (const wrong of [
    { expiresAt: '2026-02-30' },
    { expiresAt: '2026-02-01T10:00:00Z' },
    { noticePeriod: 'PT3H' },
    { noticePeriod: 'P1.5M' },
    {},
  ])
    assert.equal((await put(creator, id, wrong)).status, 400, JSON.stringify(wrong));
  const cleared = await put(creator, id, { expiresAt: null });
  assert.deepEqual([cleared.body.expiresAt, cleared.body.endsAt, cleared.body.renewal], [undefined, undefined, 'none']);
});

test('coming dates are listed by day to readers of the document only, page by page', async () => {
  const [creator, reader, other, viewer] = await Promise.all(
    [1, 2, 3].map(() => chancery.user(team)).concat(chancery.user(team, { role: 'viewer' })),
  );
  assert.ok(creator && reader && other && viewer);
  const folder = await folderBy(creator);
  await made(creator, 'POST', `/api/v1/smartdoc/folders/${folder.id}/shares`, { userId: viewer.id, access: 'read' });
  const ids = [await document(creator, { folderId: folder.id, title: 'Lease' }), await document(creator), await document(creator)];
  for (const [at, id] of ids.entries()) await put(creator, id, { expiresAt: `${years(71)}-0${at + 1}-15`, noticePeriod: 'P1W' });
  await shareDocument(creator, ids[1] ?? '', reader, 'read');
  const list = async (by: User, query = '') => {
    const { body, headers } = await call(by, 'GET', `/api/v1/smartdoc/document-dates?from=2071-01-01&before=2072-01-01${query}`);
    return {
      dates: body.map(({ kind, date }: any) => `${kind} ${date}`),
      body,
      next: /cursor=([^>&]+)/.exec(headers.get('link') ?? '')?.[1],
    };
  };
  const all = [
    'notice 2071-01-08',
    'expires 2071-01-15',
    'notice 2071-02-08',
    'expires 2071-02-15',
    'notice 2071-03-08',
    'expires 2071-03-15',
  ];
  for (const by of [creator, team.owner]) assert.deepEqual((await list(by)).dates, all);
  assert.deepEqual((await list(reader)).dates, all.slice(2, 4));
  const [first] = (await list(viewer)).body;
  assert.deepEqual(first, { documentId: ids[0], title: 'Lease', folderId: folder.id, kind: 'notice', date: '2071-01-08' });
  assert.deepEqual((await list(viewer)).dates, all.slice(0, 2));
  assert.deepEqual((await list(other)).dates, []);
  const pages: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = await list(creator, `&limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
    pages.push(...page.dates);
    cursor = page.next;
  }
  assert.deepEqual(pages, all);
  assert.deepEqual((await call(creator, 'GET', '/api/v1/smartdoc/document-dates')).body, [], 'not those of the next 90 days');
  const task = await made(creator, 'POST', '/api/v1/tasks/', { title: 'Read it', documentId: ids[2], assignedTo: other.id });
  assert.deepEqual((await list(other)).dates, all.slice(4));
  await made(other, 'POST', `/api/v1/tasks/${task.id}/complete`, {});
  assert.deepEqual((await list(other)).dates, []);
  await made(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  assert.deepEqual((await list(team.owner)).dates, all.slice(2));
  await made(creator, 'DELETE', `${documents}/${ids[1]}`);
  assert.deepEqual((await list(creator)).dates, [...all.slice(0, 2), ...all.slice(4)]);
  // After a thousand dates of other users a page ends at one of them: its cursor discloses nothing about it.
  await chancery.pool.query(
    `WITH d AS (INSERT INTO document (team_id, id, user_id, title) SELECT $1, gen_random_uuid(), $2, 'Hidden' FROM generate_series(1, 1000) RETURNING id),
       s AS (INSERT INTO document_dates (team_id, document_id, remind_before, set_by, set_by_type, created_at, updated_at)
         SELECT $1, id, 'P30D', $2, 'user', now(), now() FROM d RETURNING document_id)
     INSERT INTO document_date (team_id, document_id, kind, falls_on) SELECT $1, document_id, 'expires', '2071-01-02' FROM s`,
    [team.id, reader.id],
  );
  const hidden = await list(other);
  assert.deepEqual([hidden.dates, hidden.next?.length], [[], (await list(creator, '&limit=1')).next?.length]);
  const decoded = Buffer.from(hidden.next ?? '', 'base64url').toString();
  for (const text of [decoded, Buffer.from(JSON.parse(decoded)[0], 'base64url').toString()])
    assert.doesNotMatch(text, /2071|expires|[\da-f]{8}-/);
  assert.deepEqual(
    [(await list(creator)).dates, (await list(creator, `&cursor=${hidden.next}`)).dates],
    [[], [...all.slice(0, 2), ...all.slice(4)]],
  );
  const forged = Buffer.from(JSON.stringify(['2071-01-02', ids[0], 'expires'])).toString('base64url');
  for (const cursor of [forged, Buffer.from(JSON.stringify([forged])).toString('base64url')])
    assert.equal((await call(creator, 'GET', `/api/v1/smartdoc/document-dates?cursor=${cursor}`)).status, 400);
});

test('each date is announced once, in the morning, for any clock and number of nodes; late rather than never', async () => {
  const creator = await chancery.user(team);
  const id = await document(creator, { title: 'Office lease' });
  await put(creator, id, { expiresAt: `${years(80)}-05-31`, noticePeriod: 'P3M', remindBefore: 'P2W' });
  await passAt('2080-02-15T05:59:00Z');
  assert.deepEqual(await announcedDates(id), []);
  // Ten nodes at once at seven in the morning in Berlin.
  await Promise.all(Array.from({ length: 10 }, () => announceDates(deps(), new Date('2080-02-15T06:00:00Z'))));
  assert.deepEqual(await announcedDates(id), ['notice 2080-02-29']);
  // The clock goes back, and other changes announce nothing again.
  await passAt('2080-02-15T05:00:00Z');
  await put(creator, id, { expiresAt: `${years(80)}-05-31`, noticePeriod: 'P3M', remindBefore: 'P1W' });
  await passAt('2080-02-27T06:00:00Z');
  assert.deepEqual(await announcedDates(id), ['notice 2080-02-29']);
  // Nothing is announced in the bin, and every node was down on the day.
  await made(creator, 'DELETE', `${documents}/${id}`);
  await passAt('2080-05-30T06:00:00Z');
  assert.deepEqual(await announcedDates(id), ['notice 2080-02-29']);
  await made(creator, 'POST', `${documents}/${id}/restore`);
  await chancery.pool.query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [team.id]);
  await passAt('2080-06-02T06:00:00Z');
  assert.deepEqual(await announcedDates(id), ['notice 2080-02-29'], 'a suspended team gets no announcements');
  await chancery.pool.query("UPDATE team SET status = 'active' WHERE team_id = $1", [team.id]);
  await passAt('2080-06-02T06:05:00Z');
  assert.deepEqual(await announcedDates(id), ['notice 2080-02-29', 'expires 2080-05-31']);
  assert.deepEqual(await dateMails(creator), [
    'Notice is due by February 29, 2080: “Office lease”',
    'Expired on May 31, 2080: “Office lease”',
  ]);
  // A date that is past when it is set is not announced.
  await put(creator, id, { expiresAt: '2020-01-31' });
  await passAt('2081-01-01T06:00:00Z');
  assert.equal((await announcedDates(id)).length, 2);
});

test('the owner of a document gets no mail about its dates while a barrier excludes them', async () => {
  const [author, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const folder = await folderBy(author);
  const id = await document(author, { folderId: folder.id });
  await put(author, id, { expiresAt: `${years(80)}-05-31`, remindBefore: 'P2W' });
  await made(admin, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [admin.id] });
  await passAt('2080-05-20T06:00:00Z');
  assert.deepEqual([await announcedDates(id), await dateMails(author)], [['expires 2080-05-31'], []]);
});

test('a document that renews itself is announced once for each term, and continues with the current term after years without a node', async () => {
  const creator = await chancery.user(team);
  const id = await document(creator);
  await put(creator, id, {
    expiresAt: `${years(84)}-12-31`,
    noticePeriod: 'P1M',
    renewal: 'tacit',
    renewalPeriod: 'P1Y',
    remindBefore: 'P10D',
  });
  await passAt('2084-11-20T12:00:00Z');
  await passAt('2084-12-02T12:00:00Z');
  // The team changes to a time zone where it is still the previous day, and back.
  await passAt('2084-11-25T12:00:00Z');
  assert.deepEqual(await announcedDates(id), ['notice 2084-11-30']);
  await passAt('2085-11-20T12:00:00Z');
  await passAt('2089-06-01T12:00:00Z');
  await passAt('2089-11-20T12:00:00Z');
  assert.deepEqual(await announcedDates(id), ['notice 2084-11-30', 'notice 2085-11-30', 'notice 2089-11-30']);
});

test('a date starts a workflow from its template once, by the current rights of the member who set it', async () => {
  const [creator, writer] = [await chancery.user(team), await chancery.user(team)];
  const steps = [{ id: 'a', type: 'task', assignedTo: creator.id }];
  for (const name of ['renewal-talks', 'changed-later'])
    await made(writer, 'POST', '/api/v1/workflows/templates', { name, description: 'Talk', steps });
  const ids = [
    await document(creator),
    await document(creator),
    await document(creator),
    await document(creator),
    await document(creator),
  ] as const;
  const [own, shared, taken, changed, former] = ids;
  // A member who leaves the team after setting a template.
  const leaver = await chancery.user(team);
  for (const id of [shared, taken]) await shareDocument(creator, id, writer, 'write');
  await shareDocument(creator, former, leaver, 'write');
  const dates = (startsTemplate: string) => ({ expiresAt: `${years(90)}-05-31`, startsTemplate });
  for (const [by, id, template] of [
    [creator, own, 'renewal-talks'],
    [writer, shared, 'renewal-talks'],
    [writer, taken, 'renewal-talks'],
    [creator, changed, 'changed-later'],
    [leaver, former, 'renewal-talks'],
  ] as const)
    assert.equal((await put(by, id, dates(template))).status, 200);
  assert.equal((await put(creator, own, dates('no-such'))).body.code, 'template_not_found');
  const { grants } = await made(creator, 'GET', `${documents}/${taken}/access`);
  await made(creator, 'DELETE', `${documents}/${taken}/access/${grants.find(({ reason }: any) => reason === 'share').id}`);
  await made(writer, 'PUT', '/api/v1/workflows/templates/changed-later', { steps: [{ id: 'b', type: 'task', assignedTo: writer.id }] });
  await made(team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${writer.id}`);
  await passAt('2090-05-05T12:00:00Z');
  const { rows } = await chancery.pool.query("SELECT id, data FROM job WHERE name = 'date-workflow' AND team_id = $1", [team.id]);
  assert.equal(rows.length, 5);
  // A job may run twice, also concurrently.
  const run = ({ id, data }: any) =>
    dateWorkflowJob.run({ database: chancery.database, listeners, clock: () => new Date() }, data, {
      id,
      team: team.id,
      attempt: 1,
      signal: AbortSignal.timeout(120_000),
    });
  for (const row of rows) await Promise.all([run(row), run(row)]);
  for (const row of rows) await run(row);
  const outcome = async (id: string) => {
    const found = await made(team.owner, 'GET', `/api/v1/workflows/document/${id}`);
    const journal = await made(team.owner, 'GET', `/api/v1/security/audit?targetId=${id}&type=workflow.date_start_failed`);
    return [
      ...found.map(({ status, createdBy }: any) => `${status} by ${createdBy === creator.id ? 'maker' : 'writer'}`),
      ...journal.events.map(({ data }: any) => data.code),
    ];
  };
  assert.deepEqual(await outcome(own), ['active by maker']);
  assert.deepEqual(await outcome(shared), ['active by writer']);
  assert.deepEqual(await outcome(taken), ['document_not_readable']);
  assert.deepEqual(await outcome(former), ['forbidden']);
  assert.deepEqual(
    await outcome(changed),
    ['template_changed'],
    'content that another member added to the template is not an action of its creator',
  );
});
