import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { type Chancery, startChancery, type Team } from '../../../test/harness.ts';
import { askTool, declaredStandard, textOf, withoutPdfTools } from '../../../test/pdf.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: Team;
/** Makes no documents, so that one is not ready for as long as a test wants. */
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

async function formOf(on: Chancery, of: Team, members: object = {}): Promise<Form> {
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

test('the session that has submitted learns when the document is ready and downloads it; nobody else does', async () => {
  const form = await formOf(chancery, team);
  const { id, session, hasSession } = await send(chancery, form, { name: 'Ada' });
  assert.equal(hasSession, true);
  const status = await readyIn(form, session);
  assert.deepEqual(Object.keys(status).toSorted(), ['documentId', 'ready']);
  const document = await chancery.call('GET', `/api/v1/smartdoc/documents/${status.documentId}`, { token: team.owner.token });
  assert.equal(document.body.metadata.submissionId, id, 'the document is the one that the team finds');
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
    assert.equal(codeOf(await look(chancery, elsewhere, what, session)), '404 no_submission_session', 'a session is of one form');
    assert.equal(codeOf(await look(chancery, { ...form, publicToken: 'x'.repeat(43) }, what, session)), '404 interface_not_found');
  }
  assert.notEqual((await readyIn(form, other.session)).documentId, status.documentId, 'each session sees its own');
  const entries = await chancery.pool.query("SELECT data FROM audit_entry WHERE type = 'submission.document_ready' AND target_id = $1", [
    id,
  ]);
  assert.equal(entries.rows[0].data.interfaceId, form.id);
  const effects = await chancery.pool.query("SELECT status FROM submission_effect WHERE submission_id = $1 AND kind = 'pdf'", [id]);
  assert.deepEqual(effects.rows, [{ status: 'done' }]);
});

test('before it is ready it is not, after a final failure it is failed, and after a day there is nothing', async () => {
  const own = await idle.team();
  const form = await formOf(idle, own);
  const { id, session } = await send(idle, form, { name: 'Ada' });
  assert.deepEqual((await look(idle, form, 'status', session)).body.ready, false);
  const early = await look(idle, form, 'pdf', session);
  assert.deepEqual([codeOf(early), early.headers.get('retry-after')], ['409 document_not_ready', '2']);
  await idle.pool.query("UPDATE rendition SET status = 'failed', error = 'x' WHERE about = $1", [id]);
  assert.equal(codeOf(await look(idle, form, 'pdf', session)), '409 document_failed');
  assert.deepEqual((await look(idle, form, 'status', session)).body.ready, false);
  await idle.pool.query("UPDATE submission_session SET expires_at = now() - interval '1 second'");
  for (const what of ['status', 'pdf'] as const) assert.equal(codeOf(await look(idle, form, what, session)), '404 no_submission_session');
});

test('a day begins with what was sent last, and goes on when the form closes or its link is replaced', async () => {
  const own = await idle.team();
  const form = await formOf(idle, own);
  const { session } = await send(idle, form, { name: 'Ada' });
  await idle.pool.query("UPDATE submission_session SET expires_at = now() + interval '1 hour'");
  const first = (await look(idle, form, 'status', session)).body.documentId;
  await send(idle, form, { name: 'Ada again' }, { 'x-submission-session': session });
  const { rows } = await idle.pool.query("SELECT expires_at > now() + interval '23 hours' AS day FROM submission_session");
  assert.ok(rows.some(({ day }) => day));
  assert.notEqual((await look(idle, form, 'status', session)).body.documentId, first, 'the last one is shown');
  await idle.call('POST', `${path}/${form.id}/rotate-token`, { token: own.owner.token, body: { channel: 'public' } });
  assert.equal((await look(idle, form, 'status', session)).status, 200);
  await idle.call('POST', `${path}/${form.id}/close`, { token: own.owner.token });
  assert.equal((await look(idle, form, 'status', session)).status, 200);
});

test('a form that makes no document, or keeps it to itself, shows none', async () => {
  const own = await idle.team();
  const without = await formOf(idle, own, { config: {} });
  assert.equal((await send(idle, without, { name: 'Ada' })).hasSession, false);
  const kept = await formOf(idle, own, { publicSettings: { allowPdf: false } });
  const { id, hasSession } = await send(idle, kept, { name: 'Ada' });
  assert.equal(hasSession, false);
  const { rows } = await idle.pool.query('SELECT status FROM rendition WHERE about = $1', [id]);
  assert.deepEqual(rows, [{ status: 'pending' }], 'the team gets its document');
});

test('a document that cannot be made is kept as failed, and the owner of the form is told', async () => {
  const form = await formOf(chancery, team);
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'storage', 1)", [team.id]);
  try {
    const { id, session } = await send(chancery, form, { name: 'Ada' });
    await eventually('it is given up', async () => {
      await chancery.pool.query("UPDATE job SET due_at = now() WHERE name = 'rendition' AND state = 'waiting'");
      return codeOf(await look(chancery, form, 'pdf', session)) === '409 document_failed';
    });
    const { rows } = await chancery.pool.query(
      "SELECT s.status, e.status AS pdf, e.code FROM submission s JOIN submission_effect e ON e.submission_id = s.id AND e.kind = 'pdf' WHERE s.id = $1",
      [id],
    );
    assert.deepEqual(rows, [{ status: 'failed', pdf: 'failed', code: 'document_failed' }]);
    await eventually('the owner is told', async () => {
      const { rows: mails } = await chancery.pool.query('SELECT subject, text_body FROM mail_message WHERE recipient = $1', [
        team.owner.email,
      ]);
      return mails.some(
        ({ subject, text_body: body }) => /failed after submissions: Intake/.test(subject) && /pdf: document_failed/.test(body),
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
  'the PDF has what was asked and answered in the language of who answered, in any script, with a code',
  { skip: withoutPdfTools },
  async () => {
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
    const verified = await chancery.call('POST', '/api/v1/renditions/verify', { body: { code } });
    assert.deepEqual([verified.body.status, verified.body.issuer], ['issued', 'Harbour & Lane']);
  },
);

test(
  'an answer of very many lines is refused where it stands, and as many as are taken make a document',
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
      ['/data/a', 'lines', 'Too many lines: the most is 1,000. Please use fewer line breaks.'],
    ]);
    const each = lines(1_000);
    const [over] = await refused({ a: each, b: each, c: each, d: each, e: each });
    assert.deepEqual(over?.slice(0, 2), ['/data/e', 'lines']);
    const { session } = await send(chancery, form, { a: each, b: each, c: each, d: each });
    await readyIn(form, session);
  },
);

test('of answers that were erased before it was made no document is made', async () => {
  const own = await idle.team();
  const form = await formOf(idle, own);
  const { id, session } = await send(idle, form, { name: 'Ada' });
  await idle.pool.query("UPDATE submission SET data = NULL, erased_at = now(), erased_for = 'request' WHERE id = $1", [id]);
  const worker = await idle.node('worker');
  try {
    await eventually('it is withdrawn', async () => codeOf(await look(idle, form, 'pdf', session)) === '404 no_submission_session');
    const { rows } = await idle.pool.query('SELECT status FROM rendition WHERE about = $1', [id]);
    assert.deepEqual(rows, [{ status: 'withdrawn' }]);
  } finally {
    await worker.stop();
  }
});
