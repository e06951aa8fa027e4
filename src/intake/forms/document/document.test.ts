import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { request } from 'undici';
import { nextMonday, plainCalendar } from '../../../../test/bookings.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { letJobsBeDue } from '../../../../test/jobs.ts';
import { askTool, declaredStandard, textOf, withoutPdfTools } from '../../../../test/pdf.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { documentFileJob } from '../submit/index.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
/** An instance without background work, so that documents stay unfinished as long as a test needs. */
let idle: Chancery;

before(async () => {
  chancery = await startChancery();
  team = await chancery.team('Harbour & Lane');
  idle = await startChancery({ role: 'api' });
});
after(async () => {
  await chancery.stop();
  await idle.stop();
});

type Form = { id: string; publicToken: string };
const nameField = { id: 'name', type: 'text', label: 'Name', required: true };
const makes = { createsDocument: true };

async function formOf(on: Chancery, of: TestTeam, members: object = {}): Promise<Form> {
  const { token } = of.owner;
  const body = { title: 'Intake', type: 'form', fields: [nameField], config: makes, ...members };
  const made = await on.call('POST', `${path}/`, { token, body });
  assert.equal(made.status, 201, made.text);
  const answer = await on.call('POST', `${path}/${made.body.id}/publish`, { token, body: { revision: 1 } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
async function send(on: Chancery, { publicToken }: Form, data: object, headers: Record<string, string> = {}) {
  const answer = await on.call('POST', `${path}/public/${publicToken}/submit`, { body: { data }, headers });
  assert.equal(answer.status, 200, answer.text);
  return { id: answer.body.submissionId as string, session: answer.headers.get('x-submission-session') ?? '', ...answer.body };
}
const look = (on: Chancery, { publicToken }: Form, what: 'status' | 'pdf', session = '') =>
  on.call(
    'GET',
    `${path}/public/${publicToken}/submission/${what}`,
    session === '' ? {} : { headers: { 'x-submission-session': session } },
  );
const readyIn = (form: Form, session: string) =>
  eventually('the document is ready', async () => {
    const { body } = await look(chancery, form, 'status', session);
    return body.ready === true ? body : undefined;
  });
async function download({ publicToken }: Form, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await request(`${chancery.url}${path}/public/${publicToken}/submission/pdf`, { method, headers });
  return { status: answer.statusCode, headers: answer.headers, bytes: new Uint8Array(await answer.body.arrayBuffer()) };
}
const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body?.code ?? ''}`.trim();

test('only the session that submitted sees when the document is ready and downloads it', async () => {
  const form = await formOf(chancery, team);
  const { id, session, hasSession } = await send(chancery, form, { name: 'Ada' });
  assert.equal(hasSession, true);
  const status = await readyIn(form, session);
  assert.deepEqual(Object.keys(status).toSorted(), ['documentId', 'ready']);
  const document = await chancery.call('GET', `/api/v1/smartdoc/documents/${status.documentId}`, { token: team.owner.token });
  assert.equal(document.body.metadata.submissionId, id, 'the team finds the same document');
  const byCookie = await download(form, { cookie: `submission=${session}` });
  assert.deepEqual(
    [byCookie.status, byCookie.headers['content-type'], byCookie.headers['cache-control'], byCookie.headers['content-disposition']],
    [
      200,
      'application/pdf',
      'no-store',
      `attachment; filename="Intake ${id.slice(-8)}.pdf"; filename*=UTF-8''Intake%20${id.slice(-8)}.pdf`,
    ],
  );
  assert.equal(Buffer.from(byCookie.bytes.subarray(0, 5)).toString(), '%PDF-');
  assert.equal((await download(form, { 'x-submission-session': session }, 'HEAD')).status, 200);
  const part = await download(form, { 'x-submission-session': session, range: 'bytes=0-3' });
  assert.deepEqual([part.status, Buffer.from(part.bytes).toString()], [206, '%PDF']);

  const other = await send(chancery, form, { name: 'Eve' });
  const elsewhere = await formOf(chancery, team);
  for (const what of ['status', 'pdf'] as const) {
    assert.equal(codeOf(await look(chancery, form, what)), '404 no_submission_session');
    assert.equal(codeOf(await look(chancery, form, what, 'x'.repeat(43))), '404 no_submission_session');
    assert.equal(codeOf(await look(chancery, elsewhere, what, session)), '404 no_submission_session', 'a session is valid for one form');
    assert.equal(codeOf(await look(chancery, { ...form, publicToken: 'x'.repeat(64) }, what, session)), '404 interface_not_found');
  }
  assert.notEqual((await readyIn(form, other.session)).documentId, status.documentId, 'each session sees its own document');
  const entries = await chancery.pool.query("SELECT data FROM audit_entry WHERE type = 'submission.document_ready' AND target_id = $1", [
    id,
  ]);
  assert.equal(entries.rows[0].data.interfaceId, form.id);
  const effects = await chancery.pool.query("SELECT status FROM submission_effect WHERE submission_id = $1 AND kind = 'pdf'", [id]);
  assert.deepEqual(effects.rows, [{ status: 'done' }]);
});

test('the document of the team gets the PDF as one version, even after retries; a document with a file keeps it', async () => {
  const form = await formOf(chancery, team, { config: { ...makes, startsTemplate: 'nda-approval' } });
  const { session, id } = await send(chancery, form, { name: 'Ada' });
  const { documentId } = await readyIn(form, session);
  const versions = async (document: string) =>
    (await chancery.call('GET', `/api/v1/smartdoc/documents/${document}/versions`, { token: team.owner.token })).body;
  const [first] = await eventually('the file is there', async () => {
    const found = await versions(documentId);
    return found.length > 0 ? found : undefined;
  });
  const pdf = await download(form, { 'x-submission-session': session });
  assert.equal(first.sha256, createHash('sha256').update(pdf.bytes).digest('hex'), 'the same file that the visitor has');
  assert.match(first.fileName, /^Intake .*\.pdf$/);
  assert.deepEqual([first.createdBy, first.createdByType], [id, 'system']);
  const tasks = (await chancery.call('GET', `/api/v1/tasks?documentId=${documentId}`, { token: team.owner.token })).body;
  assert.deepEqual(
    tasks.map((task: any) => [task.status, task.documentVersion, task.documentSha256]),
    [['open', 1, first.sha256]],
    'the review that the submission began is asked once, and is of that file',
  );
  const reviewed = await chancery.call('POST', `/api/v1/tasks/${tasks[0].id}/complete`, {
    token: team.owner.token,
    body: { outcome: 'approved' },
  });
  assert.equal(reviewed.status, 200, 'the owner of the form is not the author of the answers');
  const other = await send(chancery, form, { name: 'Eve' });
  const filed = (await readyIn(form, other.session)).documentId;
  await eventually('the document has its file', async () => (await versions(filed)).length === 1);
  // Simulates a node that stopped after the work but before it marked the job as done.
  const again = () =>
    chancery.database.inTeam(team.id, async (db) => {
      for (const submission of [id, other.id]) enqueue({ db, team: team.id }, documentFileJob, { submission });
    });
  await Promise.all(Array.from({ length: 10 }, again));
  await eventually('all jobs are done', async () => {
    const { rows } = await chancery.pool.query("SELECT FROM job WHERE name = 'submission-document-file' AND state <> 'done'");
    return rows.length === 0;
  });
  assert.deepEqual([(await versions(documentId)).length, (await versions(filed)).length], [1, 1]);
  const { rows } = await chancery.pool.query(
    "SELECT actor_type FROM audit_entry WHERE type = 'document.version_added' AND target_id = ANY ($1)",
    [[documentId, filed]],
  );
  assert.deepEqual(rows, [{ actor_type: 'system' }, { actor_type: 'system' }]);
});

test('the status is not ready at first, failed after the final failure, and gone after a day', async () => {
  const own = await idle.team();
  const form = await formOf(idle, own);
  const { id, session } = await send(idle, form, { name: 'Ada' });
  assert.deepEqual((await look(idle, form, 'status', session)).body.ready, false);
  const early = await look(idle, form, 'pdf', session);
  assert.deepEqual([codeOf(early), early.headers.get('retry-after')], ['409 document_not_ready', '2']);
  await idle.pool.query("UPDATE issued_document SET status = 'failed', error = 'x' WHERE about = $1", [id]);
  assert.equal(codeOf(await look(idle, form, 'pdf', session)), '409 document_failed');
  assert.deepEqual((await look(idle, form, 'status', session)).body.ready, false);
  await idle.pool.query("UPDATE submission_session SET expires_at = now() - interval '1 second'");
  for (const what of ['status', 'pdf'] as const) assert.equal(codeOf(await look(idle, form, what, session)), '404 no_submission_session');
});

test('the day starts with the last submission, and a closed form or replaced link does not end it', async () => {
  const own = await idle.team();
  const form = await formOf(idle, own);
  const { session } = await send(idle, form, { name: 'Ada' });
  await idle.pool.query("UPDATE submission_session SET expires_at = now() + interval '1 hour'");
  const first = (await look(idle, form, 'status', session)).body.documentId;
  await send(idle, form, { name: 'Ada again' }, { 'x-submission-session': session });
  const { rows } = await idle.pool.query("SELECT expires_at > now() + interval '23 hours' AS day FROM submission_session");
  assert.ok(rows.some(({ day }) => day));
  assert.notEqual((await look(idle, form, 'status', session)).body.documentId, first, 'the last submission is shown');
  await idle.call('POST', `${path}/${form.id}/rotate-token`, { token: own.owner.token, body: { channel: 'public' } });
  assert.equal((await look(idle, form, 'status', session)).status, 200);
  await idle.call('POST', `${path}/${form.id}/close`, { token: own.owner.token });
  assert.equal((await look(idle, form, 'status', session)).status, 200);
});

test('a form that makes no document or does not offer it shows none', async () => {
  const own = await idle.team();
  const without = await formOf(idle, own, { config: {} });
  assert.equal((await send(idle, without, { name: 'Ada' })).hasSession, false);
  const kept = await formOf(idle, own, { publicSettings: { allowPdf: false } });
  const { id, hasSession } = await send(idle, kept, { name: 'Ada' });
  assert.equal(hasSession, false);
  const { rows } = await idle.pool.query('SELECT status FROM issued_document WHERE about = $1', [id]);
  assert.deepEqual(rows, [{ status: 'pending' }], 'the team still gets its document');
});

test('a document that cannot be made is stored as failed, and the owner of the form is notified', async () => {
  const form = await formOf(chancery, team);
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'storage', 1)", [team.id]);
  try {
    const { id, session } = await send(chancery, form, { name: 'Ada' });
    await eventually('the document has failed', async () => {
      await letJobsBeDue(chancery.pool, 'waiting', 'issued-document');
      return codeOf(await look(chancery, form, 'pdf', session)) === '409 document_failed';
    });
    const { rows } = await chancery.pool.query(
      "SELECT s.status, e.status AS pdf, e.code FROM submission s JOIN submission_effect e ON e.submission_id = s.id AND e.kind = 'pdf' WHERE s.id = $1",
      [id],
    );
    assert.deepEqual(rows, [{ status: 'failed', pdf: 'failed', code: 'document_failed' }]);
    await eventually('the owner is notified', async () => {
      const { rows: mails } = await chancery.pool.query('SELECT subject, text_body FROM mail_message WHERE recipient = $1', [
        team.owner.email,
      ]);
      return mails.some(
        ({ subject, text_body: body }) => /Effects of submissions failed: Intake/.test(subject) && /pdf: document_failed/.test(body),
      );
    });
  } finally {
    await chancery.pool.query('DELETE FROM team_quota WHERE team_id = $1', [team.id]);
  }
});

const inBoth = (en: string, de: string) => ({ en, de });
const questions = [
  { id: 'who', type: 'text', label: inBoth('Who', 'Wer'), required: true },
  { id: 'cyrillic', type: 'textarea', label: inBoth('Where', 'Wo'), page: 2 },
  { id: 'cjk', type: 'text', label: inBoth('Name in Japanese', 'Name auf Japanisch'), page: 2 },
  { id: 'arabic', type: 'text', label: inBoth('Name in Arabic', 'Name auf Arabisch'), page: 2 },
  { id: 'land', type: 'country', label: inBoth('Country', 'Land') },
  {
    id: 'kinds',
    type: 'multiselect',
    label: inBoth('Kinds', 'Arten'),
    options: [
      { id: 'a', label: inBoth('Fire', 'Feuer') },
      { id: 'b', label: inBoth('Water', 'Wasser') },
    ],
  },
  { id: 'hurt', type: 'boolean', label: inBoth('Hurt?', 'Verletzt?') },
  { id: 'agreed', type: 'consent', label: inBoth('I agree', 'Ich stimme zu') },
  { id: 'why', type: 'text', label: inBoth('Why not?', 'Warum nicht?'), visibleIf: { field: 'agreed', empty: true } },
  { id: 'score', type: 'hidden', default: 'risk-7' },
];

test(
  'the PDF has the questions and answers in the language of the visitor, in any script, with a verification code',
  { skip: withoutPdfTools },
  async () => {
    const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const branded = await chancery.call('PATCH', '/api/v1/team/branding', { token: team.owner.token, body: { colour: '#ffe066', logo } });
    assert.equal(branded.status, 200, branded.text);
    const form = await formOf(chancery, team, {
      title: inBoth('Report', 'Meldung'),
      fields: questions,
      publicSettings: { locale: 'en', locales: ['en', 'de'] },
    });
    const data = {
      who: 'Zoë Łukasz #set page',
      cyrillic: 'Склад 3\n\nвосток',
      cjk: '山田太郎',
      arabic: 'مرحبا بالعالم',
      land: 'FR',
      kinds: ['b'],
      hurt: false,
      agreed: true,
      why: 'secret',
    };
    const { session, id } = await send(chancery, form, data, { 'accept-language': 'de' });
    await readyIn(form, session);
    const { bytes } = await download(form, { 'x-submission-session': session });
    askTool(bytes, 'qpdf', '--check', 'PDF');
    assert.equal(declaredStandard(bytes), 'PDF/A-2a');
    assert.match(askTool(bytes, 'pdfinfo', 'PDF'), /Tagged:\s+yes/);
    assert.match(askTool(bytes, 'pdfimages', '-list', 'PDF'), /image\s+1\s+1/, 'the logo of the team');
    const text = textOf(bytes);
    const said = [
      'Meldung',
      'Harbour & Lane',
      'Wer',
      data.who,
      'Склад 3',
      'восток',
      data.cjk,
      data.arabic,
      'Frankreich',
      'Wasser',
      'Nein',
      'Zugestimmt',
      id,
    ];
    for (const one of said) assert.ok(text.includes(one), `${one} in ${text}`);
    for (const one of ['Report', 'risk-7', 'Feuer', 'Warum nicht', 'secret']) assert.ok(!text.includes(one), `${one} is not told`);
    const code = /[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){3}/.exec(text)?.[0];
    const verified = await chancery.call('POST', '/api/v1/issued-documents/verify', { body: { code } });
    assert.deepEqual([verified.body.status, verified.body.issuer], ['issued', 'Harbour & Lane']);
  },
);

/** Returns a PNG of 60 × 20 pixels like one drawn on a page. `lines` is the number of pixel rows that it contains. */
function drawingOf(lines = 20): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const header = Buffer.from([0, 0, 0, 60, 0, 0, 0, 20, 8, 6, 0, 0, 0]);
  const pixels = deflateSync(Buffer.alloc(lines * (1 + 60 * 4)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('the PDF has drawn signatures, record titles and the booked time', { skip: withoutPdfTools }, async () => {
  const { token } = team.owner;
  const made = async (to: string, body: object) => {
    const answer = await chancery.call('POST', to, { token, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id as string;
  };
  const shown = (id: string) => ({ id, type: 'text', label: id, public: true });
  const registryTypeId = await made('/api/v1/registries', {
    name: 'Counsel',
    fields: [shown('surname'), shown('city'), { ...shown('fee'), public: false }],
  });
  const grace = await made(`/api/v1/registries/${registryTypeId}/records`, {
    data: { surname: 'Hopper', city: 'Arlington', fee: 'secret' },
  });
  const form = await formOf(chancery, team, {
    type: 'scheduling',
    calendar: { ...plainCalendar, timeZone: 'Asia/Kathmandu' },
    fields: [
      { id: 'lawyer', type: 'registry', label: 'Whom?', registryTypeId },
      { id: 'others', type: 'registry', label: 'Who else?', registryTypeId, validation: { maxItems: 3 } },
      { id: 'signed', type: 'signature', label: 'Signed' },
      { id: 'damaged', type: 'signature', label: 'Signed badly' },
    ],
  });
  let session = '';
  const upload = async (name: string, bytes: Buffer) => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes)]), name);
    const answer = await fetch(`${chancery.url}${path}/public/${form.publicToken}/upload`, {
      method: 'POST',
      body,
      headers: session === '' ? {} : { 'x-submission-session': session },
    });
    assert.equal(answer.status, 200);
    session = answer.headers.get('x-submission-session') ?? session;
    return ((await answer.json()) as { fileId: string }).fileId;
  };
  const start = `${nextMonday()}T05:15:00Z`;
  const data = {
    lawyer: grace,
    others: [grace],
    signed: { fileId: await upload('drawn.png', drawingOf()) },
    damaged: { fileId: await upload('damaged.png', drawingOf(7)) },
    start,
    timeZone: 'Asia/Tokyo',
  };
  const sent = await send(chancery, form, data, { 'x-submission-session': session });
  await readyIn(form, sent.session || session);
  const { bytes } = await download(form, { 'x-submission-session': sent.session || session });
  assert.equal(declaredStandard(bytes), 'PDF/A-2a');
  askTool(bytes, 'qpdf', '--check', 'PDF');
  const text = textOf(bytes);
  assert.equal(text.match(/Hopper · Arlington/g)?.length, 2, text);
  assert.doesNotMatch(text, new RegExp(`${grace}|secret|drawn\\.png`));
  assert.match(text, /damaged\.png/, 'an invalid drawing is listed as a file');
  assert.match(text, /Booked time\s+Monday, [^]*2:15\s–\s2:45\sPM GMT\+9/);
  assert.match(askTool(bytes, 'pdfimages', '-list', 'PDF'), /image +60 +20 /);
});

test(
  'an answer with too many lines is rejected with its position, and the maximum number of lines makes a document',
  { skip: withoutPdfTools },
  async () => {
    const area = (id: string) => ({ id, type: 'textarea', label: id, validation: { maxLength: 20_000 } });
    const form = await formOf(chancery, team, { fields: ['a', 'b', 'c', 'd', 'e'].map(area) });
    const lines = (most: number) => Array.from({ length: most }, () => 'x').join('\n');
    const refused = async (data: object) => {
      const answer = await chancery.call('POST', `${path}/public/${form.publicToken}/submit`, { body: { data } });
      assert.equal(answer.status, 422, answer.text);
      return answer.body.errors.map(({ pointer, rule, reason }: any) => [pointer, rule, reason]);
    };
    assert.deepEqual(await refused({ a: lines(1_001) }), [
      ['/data/a', 'lines', 'Too many lines: the maximum is 1,000. Please use fewer line breaks.'],
    ]);
    const each = lines(1_000);
    const [over] = await refused({ a: each, b: each, c: each, d: each, e: each });
    assert.deepEqual(over?.slice(0, 2), ['/data/e', 'lines']);
    const { session } = await send(chancery, form, { a: each, b: each, c: each, d: each });
    await readyIn(form, session);
  },
);

test('no document is made from answers that were erased before', async () => {
  const own = await idle.team();
  const form = await formOf(idle, own);
  const { id, session } = await send(idle, form, { name: 'Ada' });
  await idle.pool.query("UPDATE submission SET data = NULL, erased_at = now(), erased_for = 'request' WHERE id = $1", [id]);
  const worker = await idle.node('worker');
  try {
    await eventually('it is withdrawn', async () => codeOf(await look(idle, form, 'pdf', session)) === '404 no_submission_session');
    const { rows } = await idle.pool.query('SELECT status FROM issued_document WHERE about = $1', [id]);
    assert.deepEqual(rows, [{ status: 'withdrawn' }]);
  } finally {
    await worker.stop();
  }
});
