import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { type TestResponse, type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { askTool, withoutPdfTools } from '../../../../test/pdf.ts';
import { letJobsBeDue } from '../../../../test/jobs.ts';
import { drawn, page as pdfPage } from '../../../../test/pdf-parts.ts';
import { plainPdf } from '../../../../test/plain-pdf.ts';
import { makeSigner } from '../../../../test/signed-pdf.ts';
import { askToSign, linkTo, pdfDocument, signatures } from '../../../../test/signatures.ts';
import { letterWith } from '../../../../test/uploads.ts';
import { startTimestampAuthority, type TimestampAuthority } from '../../../../test/timestamp-authority.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { listeners } from '../../../listeners.ts';
import { createDiskStorage } from '../../../platform/storage/disk.ts';
import { type Sealing, SealFailed, Unsealable } from '../sealing/index.ts';
import type { Working } from './context.ts';
import { prepareJob } from './prepare-job.ts';
import { askForSeal, sealJob } from './seal-job.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let authority: TimestampAuthority;
let folder: string;
let team: TestTeam;
let creator: User;
/** The document of {@link askToSign}. */
const upload = plainPdf(['The first page', 'The second page']);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-pipeline-'));
  authority = await startTimestampAuthority(folder);
  chancery = await startChancery({ settings: { TIMESTAMP_URL: authority.url } });
  team = await chancery.team('Harbour & Lane');
  creator = await chancery.user(team, { firstName: 'Priya' });
});
after(async () => {
  await chancery.stop();
  await authority.close();
  await rm(folder, { recursive: true, force: true });
});

const send = (by: { token: string } | undefined, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, path, { ...(by ? { token: by.token } : {}), ...(body === undefined ? {} : { body }), headers });
async function ok(...args: Parameters<typeof send>): Promise<any> {
  const answer = await send(...args);
  assert.ok(answer.status < 300, `${args[1]} ${args[2]} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}
const refused = (answer: TestResponse, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);
const read = (id: string) => ok(creator, 'GET', `${signatures}/${id}`);
const link = (token: string, verb = '') => `${signatures}/public/${token}${verb}`;
const sql = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
async function until(id: string, state: string): Promise<any> {
  await eventually(`the request is ${state}`, async () => (await read(id)).status === state);
  return read(id);
}
/** Returns the bytes of a file. `call` would decode them as text. */
async function bytesOf(path: string, by?: User): Promise<Buffer> {
  const response = await fetch(`${chancery.url}${path}`, { headers: by ? { authorization: `Bearer ${by.token}` } : {} });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns a drawing of 2 × 1 pixels. */
function drawing(): string {
  const crc = (bytes: Buffer) => {
    let value = 0xffffffff;
    for (const byte of bytes) {
      value ^= byte;
      for (let n = 0; n < 8; n += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    return (value ^ 0xffffffff) >>> 0;
  };
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 8, 6, 0, 0, 0]);
  const lines = deflateSync(Buffer.from([0, 0, 0, 0, 255, 0, 0, 0, 0]));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

test('the file name of a document is its title, shortened by characters and not by code units', async () => {
  const document = await pdfDocument(chancery, creator, { title: `${'a'.repeat(199)}😀 and more` });
  const email = 'ada.long@acme.example';
  await askToSign(chancery, creator, { documentId: document.id, signers: [{ email, name: 'Ada' }] });
  const shown = await send(undefined, 'GET', link(await linkTo(chancery, email), '/document'));
  assert.equal(shown.status, 200, shown.text);
  assert.match(shown.headers.get('content-disposition') ?? '', /filename\*=UTF-8''a{199}%F0%9F%98%80\.pdf$/);
});

test(
  'two signers sign in turns, one with a drawing, and the sealed version begins with the presented file',
  { skip: withoutPdfTools },
  async () => {
    const document = await pdfDocument(chancery, creator);
    const place = { page: 1, x: 72, y: 600, width: 160, height: 40 };
    const fields = [
      { id: 'mark', kind: 'signature', ...place },
      { id: 'town', kind: 'text', ...place, y: 660 },
      { id: 'seen', kind: 'checkbox', ...place, y: 700, width: 20, height: 20 },
      { id: 'day', kind: 'date', ...place, x: 300 },
    ];
    const [ada, grace, carol] = ['ada', 'grace', 'carol'].map((name) => ({ email: `${name}.pipe@acme.example`, name: `${name} Acme` }));
    const made = await askToSign(chancery, creator, {
      documentId: document.id,
      signers: [
        { ...ada, order: 1, fields },
        { ...grace, order: 2 },
        { ...carol, role: 'copy' },
      ],
    });
    const token = await linkTo(chancery, 'ada.pipe@acme.example');
    const pending = await read(made.id);
    assert.deepEqual([pending.status, pending.step, pending.pages.length], ['pending', undefined, 2]);
    const presented = await bytesOf(link(token, '/document'));
    assert.equal(hashOf(presented), pending.presentedSha256);
    refused(await send(undefined, 'GET', link(token, '/document'), undefined, { range: 'bytes=9999999-' }), 416, 'range_not_satisfiable');
    const signed = await send(undefined, 'POST', link(token, '/sign'), {
      consent: true,
      name: 'Ada Acme',
      signature: { kind: 'drawn', data: drawing() },
      fields: { town: 'Aarhus', seen: true },
      documentSha256: pending.presentedSha256,
    });
    assert.deepEqual(signed.body, { success: true, status: 'pending' });
    const next = await linkTo(chancery, 'grace.pipe@acme.example');
    assert.match((await ok(undefined, 'GET', link(next))).fields[0].drawing, /^data:image\/png;base64,/);
    assert.equal((await send(undefined, 'POST', link(next, '/sign'), { consent: true, name: 'Grace Acme' })).body.status, 'sealing');

    const done = await until(made.id, 'completed');
    assert.deepEqual([done.sealedVersion, done.sealLevel, done.timeSource, done.step], [2, 'B-T', 'timestamp', undefined]);
    const sealed = await bytesOf(`${documents}/${document.id}/content?version=2`, creator);
    assert.equal(hashOf(sealed), done.sealedSha256);
    assert.ok(sealed.subarray(0, presented.length).equals(presented), 'the presented file is the beginning of the sealed file');
    assert.match(askTool(sealed, 'pdfsig', '-nocert', 'PDF'), /Total document signed[^]*Signature is Valid/);
    askTool(sealed, 'qpdf', '--check', 'PDF');
    assert.equal((await ok(creator, 'GET', `${documents}/${document.id}`)).status, 'signed');

    // The holder of the sealed file gets its signers and times, as on its last page. Any other file gets none.
    const checked = async (file: Buffer) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(file)]), 'a.pdf');
      return (await chancery.call('POST', `${signatures}/verify`, { body })).body;
    };
    const { status, request } = await checked(sealed);
    assert.deepEqual(
      [status, request.id, request.title, request.team, request.sealedAt],
      ['valid', made.id, 'Services agreement', 'Harbour & Lane', done.sealedAt],
    );
    assert.deepEqual(
      request.signers,
      done.signers.slice(0, 2).map(({ name, signedAt }: any) => ({
        name,
        ...(name === 'ada Acme' ? { typedName: 'Ada Acme' } : { typedName: 'Grace Acme' }),
        role: 'signer',
        signedAt,
        known: 'link',
      })),
    );
    assert.ok(!JSON.stringify(request).includes('@'), 'no address');
    assert.equal((await checked(Buffer.concat([sealed, Buffer.from('\n')]))).request, undefined);

    // All get the sealed file by their links for 30 days, including the copy recipient.
    for (const email of ['ada', 'grace', 'carol']) {
      const theirs = await linkTo(chancery, `${email}.pipe@acme.example`);
      assert.ok((await bytesOf(link(theirs, '/sealed'))).equals(sealed));
      const shown = await ok(undefined, 'GET', link(theirs));
      assert.deepEqual([shown.status, shown.sealed], ['completed', true]);
      for (const verb of ['/open', '/sign', '/decline'])
        refused(
          await send(undefined, 'POST', link(theirs, verb), verb === '/sign' ? { consent: true, name: 'A' } : {}),
          410,
          'signing_closed',
        );
      refused(await send(undefined, 'GET', link(theirs, '/document')), 410, 'signing_closed');
      refused(await send(undefined, 'GET', link(theirs, '/sealed'), undefined, { range: 'bytes=9999999-' }), 416, 'range_not_satisfiable');
    }
    await sql("UPDATE signature_request SET completed_at = completed_at - interval '31 days' WHERE id = $1", made.id);
    for (const verb of ['', '/sealed']) refused(await send(undefined, 'GET', link(token, verb)), 410, 'signing_closed');

    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(plainPdf(['Another']))]), 'next.pdf');
    await ok(creator, 'POST', `${documents}/${document.id}/versions`, form);
    assert.equal((await ok(creator, 'GET', `${documents}/${document.id}`)).status, 'draft', 'the signed file is the previous version');
  },
);

test('a copy recipient who left the team gets no email about the signed document', async () => {
  const leaver = await chancery.user(team);
  const email = 'stays.pipe@acme.example';
  const made = await askToSign(chancery, creator, {
    signers: [
      { email, name: 'Stays' },
      { email: leaver.email, name: 'Lee', role: 'copy' },
    ],
  });
  const token = await linkTo(chancery, email);
  await ok(team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}`);
  await ok(undefined, 'POST', link(token, '/sign'), { consent: true, name: 'Stays' });
  await until(made.id, 'completed');
  const mails = await sql("SELECT recipient FROM mail_message WHERE subject LIKE 'Signed by all%' AND recipient = ANY ($1)", [
    email,
    leaver.email,
  ]);
  assert.deepEqual(mails, [{ recipient: email }]);
});

test('the request stays `sealing` while the timestamp authority is unavailable, and is sealed later with its time', async () => {
  const { id, documentId } = await askToSign(chancery, creator, { signers: [{ email: 'late@acme.example', name: 'Late' }] });
  authority.refuse(1_000);
  const signed = await send(undefined, 'POST', link(await linkTo(chancery, 'late@acme.example'), '/sign'), { consent: true, name: 'Late' });
  assert.equal(signed.body.status, 'sealing');
  await eventually('the request shows its error and next retry', async () => (await read(id)).nextRetryAt !== undefined);
  const waiting = await read(id);
  assert.deepEqual([waiting.status, waiting.step], ['sealing', 'timestamp']);
  assert.match(waiting.error, /The timestamp authority returned status 503./);
  assert.equal((await ok(creator, 'GET', `${documents}/${documentId}`)).currentVersion.number, 1, 'nothing is sealed without a timestamp');
  authority.refuse(0);
  // The job stores its retry time after the request.
  await eventually('it is sealed', async () => {
    await letJobsBeDue(chancery.pool, 'waiting', 'signature-seal');
    return (await read(id)).status === 'completed';
  });
  const done = await read(id);
  assert.deepEqual(
    [done.sealLevel, done.timeSource, done.step, done.error, done.nextRetryAt],
    ['B-T', 'timestamp', undefined, undefined, undefined],
  );
  const sealed = await bytesOf(`${documents}/${documentId}/content?version=2`, creator);
  assert.equal(hashOf(sealed), done.sealedSha256);
});

test('a workflow step uses the field positions of the template in signing order, and the sealed version restarts no approval', async () => {
  const signers = ['disclosing', 'receiving'].map((signsAs) => ({
    name: `The ${signsAs}`,
    email: `${signsAs}.turn@acme.example`,
    signsAs,
  }));
  const steps = [
    { id: 'approve', type: 'approval', assignedTo: team.owner.id },
    { id: 'sign', type: 'signature', config: { signers, inTurn: true } },
    { id: 'file', type: 'task' },
  ];
  const template = await ok(creator, 'POST', '/api/v1/document-templates/library/nda');
  const { schema } = await ok(creator, 'GET', `/api/v1/document-templates/${template.id}`);
  const { id: documentId } = await ok(creator, 'POST', `/api/v1/document-templates/${template.id}/documents`, { data: schema.examples[0] });
  const { signatureFields: places } = await ok(creator, 'GET', `${documents}/${documentId}/template`);
  const { id } = await ok(creator, 'POST', '/api/v1/workflows/', { name: 'Sign', documentId, steps });
  const [{ taskIds }] = (await ok(creator, 'POST', `/api/v1/workflows/${id}/start`)).steps;
  await ok(team.owner, 'POST', `/api/v1/tasks/${taskIds[0]}/complete`, { outcome: 'approved' });
  for (const { name, email } of signers) await ok(undefined, 'POST', link(await linkTo(chancery, email), '/sign'), { consent: true, name });
  const stepsNow = async (): Promise<any[]> => (await ok(creator, 'GET', `/api/v1/workflows/${id}`)).steps;
  await eventually('the step has ended', async () => (await stepsNow())[1].status === 'completed');
  assert.deepEqual(
    (await stepsNow()).map(({ status, outcome, taskIds: tasks }) => [status, outcome, tasks.length]),
    [
      ['completed', 'approved', 1],
      ['completed', 'signed', 0],
      ['active', undefined, 1],
    ],
  );
  const { status, currentVersion } = await ok(creator, 'GET', `${documents}/${documentId}`);
  assert.deepEqual([status, currentVersion.number], ['signed', 2]);
  if (withoutPdfTools) return;
  // Each field is in its template position: the box of one signer has that name and nothing of the other.
  const sealed = await bytesOf(`${documents}/${documentId}/content?version=2`, creator);
  for (const { signer, kind, page, x, y, width, height } of places) {
    const box = Object.entries({ f: page, l: page, x, y, W: width, H: height }).flatMap(([name, value]) => [
      `-${name}`,
      `${Math.round(value)}`,
    ]);
    const text = askTool(sealed, 'pdftotext', ...box, 'PDF', '-').trim();
    assert.match(text, kind === 'date' ? /^\d{4}-\d\d-\d\d$/ : new RegExp(`^The ${signer}$`));
  }
});

test('a sealed version does not restart a running approval', async () => {
  const document = await pdfDocument(chancery, creator);
  const steps = [{ id: 'approve', type: 'approval', assignedTo: team.owner.id }];
  const { id } = await ok(creator, 'POST', '/api/v1/workflows/', { name: 'Approve', documentId: document.id, steps });
  await ok(creator, 'POST', `/api/v1/workflows/${id}/start`);
  const made = await askToSign(chancery, creator, { documentId: document.id, signers: [{ email: 'one@acme.example', name: 'One' }] });
  assert.equal(
    (await send(undefined, 'POST', link(await linkTo(chancery, 'one@acme.example'), '/sign'), { consent: true, name: 'One' })).status,
    200,
  );
  await until(made.id, 'completed');
  const [{ taskIds }] = (await ok(creator, 'GET', `/api/v1/workflows/${id}`)).steps;
  assert.deepEqual([taskIds.length, (await ok(creator, 'GET', `/api/v1/tasks/${taskIds[0]}`)).status], [1, 'open']);
});

test('a document that cannot be prepared fails with the reason before any email, and can be retried', async () => {
  const form = new FormData();
  form.set('title', 'A letter');
  form.set('file', new Blob(['no PDF']), 'letter.txt');
  const document = await ok(creator, 'POST', `${documents}/`, form);
  const made = await askToSign(chancery, creator, { documentId: document.id, signers: [{ email: 'never@acme.example', name: 'Never' }] });
  const failed = await until(made.id, 'failed');
  assert.deepEqual([failed.step, failed.error], ['prepare', 'not_a_pdf']);
  assert.equal((await ok(creator, 'POST', `${signatures}/${made.id}/retry`)).status, 'preparing');
  await until(made.id, 'failed');
  assert.deepEqual(await sql("SELECT 1 FROM mail_message WHERE recipient = 'never@acme.example'"), []);
  const outside = await askToSign(chancery, creator, {
    signers: [{ email: 'far@acme.example', name: 'Far', fields: [{ kind: 'text', page: 3, x: 1, y: 1, width: 9, height: 9 }] }],
  });
  assert.equal((await until(outside.id, 'failed')).error, 'field_outside_page');
});

test('a request fails before its signers get mail if an annotation covers its field', async () => {
  const covered = letterWith('', {
    4: pdfPage('/Annots[20 0 R]'),
    20: '<</Type/Annot/Subtype/Square/F 4/Rect[0 0 612 792]/AP<</N 21 0 R>>>>',
    21: drawn('1 g 0 0 9 9 re f', '/BBox[0 0 9 9]'),
  });
  const form = new FormData();
  form.set('title', 'A covered letter');
  form.set('file', new Blob([new Uint8Array(covered)], { type: 'application/pdf' }), 'letter.pdf');
  const { id: documentId } = await ok(creator, 'POST', `${documents}/`, form);
  const fields = [{ kind: 'signature', page: 1, x: 72, y: 72, width: 120, height: 30 }];
  const made = await askToSign(chancery, creator, { documentId, signers: [{ email: 'hidden@acme.example', name: 'Hidden', fields }] });
  const failed = await until(made.id, 'failed');
  assert.deepEqual([failed.step, failed.error], ['prepare', 'field_not_visible']);
  assert.deepEqual(await sql("SELECT 1 FROM mail_message WHERE recipient = 'hidden@acme.example'"), []);
});

test('a signed request fails with the reason if the sealed page does not show a field', async () => {
  const id = await signedByAll();
  await carryOut(
    await working(async () => {
      throw new Unsealable('field_not_visible', 'What is put into the field cannot be seen there.');
    }),
    id,
  );
  const failed = await read(id);
  assert.deepEqual([failed.status, failed.step, failed.error, failed.sealedVersion], ['failed', 'seal', 'field_not_visible', undefined]);
  const [entry] = await sql("SELECT data FROM audit_entry WHERE type = 'signature.failed' AND target_id = $1", id);
  assert.equal(entry.data.error, 'field_not_visible');
});

/** The dependencies of the jobs on a separate node, with a given seal function. */
async function working(seal: Sealing['seal'], clock = () => new Date()): Promise<Working> {
  const storage = await createDiskStorage({ folder: join(chancery.config.DATA_DIR, 'files') });
  const sealing: Sealing = { seal, prepare: () => assert.fail('nothing is prepared here') };
  const context = {
    baseUrl: 'http://localhost:8080',
    links: { seal: () => Buffer.from('x'), open: () => Buffer.from('y') },
    storage,
  } as never;
  return {
    database: chancery.database,
    context,
    sealing,
    log: { error: () => undefined },
    clock,
    scopeOf: (db, of, requestId) => ({ db, team: of, actor: { type: 'system' }, now: clock(), requestId, listeners }),
  };
}
/** A fully signed request that no node is sealing. */
async function signedByAll(members: Record<string, unknown> = {}): Promise<string> {
  const made = await askToSign(chancery, creator, members);
  await eventually('it is ready', async () => (await read(made.id)).status === 'pending');
  await sql("UPDATE signature_request SET status = 'sealing', step = 'seal', step_since = now() WHERE id = $1", made.id);
  await sql("UPDATE signature_signer SET status = 'signed', signed_at = now() WHERE request_id = $1", made.id);
  return made.id;
}
const carryOut = (deps: Working, id: string, signal = new AbortController().signal) =>
  sealJob.run(deps, { request: id }, { id, team: team.id, attempt: 1, signal });
const sealedAs =
  (text: string): Sealing['seal'] =>
  async ({ presented }) => {
    const sealed = Buffer.concat([presented, Buffer.from(text)]);
    return { sealed, sha256: hashOf(sealed), level: 'B-B' };
  };

test('a crash during the sealing leaves one version, and late or concurrent runs store nothing', async () => {
  const id = await signedByAll();
  const { documentId } = await read(id);
  // The first node creates its file and crashes before the commit. Other nodes continue after the lease ends.
  const dies = await working(async () => {
    throw new DOMException('killed', 'AbortError');
  });
  await carryOut(dies, id);
  await Promise.all(Array.from({ length: 8 }, async (_, n) => carryOut(await working(sealedAs(`node ${n}`)), id)));
  await carryOut(await working(sealedAs('late')), id);
  const versions = await ok(creator, 'GET', `${documents}/${documentId}/versions`);
  const done = await read(id);
  assert.deepEqual([versions.length, done.status, done.sealedVersion, versions[0].sha256], [2, 'completed', 2, done.sealedSha256]);
  const completed = await sql("SELECT 1 FROM audit_entry WHERE type = 'signature.completed' AND target_id = $1", id);
  assert.equal(completed.length, 1);
});

test('after a crash at any step, another node completes each request with one version', async () => {
  const steps = ['read', 'presented', 'certificate', 'sign', 'timestamp', 'kept', 'done'];
  // Some have one document, the others are envelopes of two.
  const ids = await Promise.all(steps.map(async (_, n) => signedByAll(n % 2 === 0 ? {} : await envelopeOf('One', 'Two'))));
  const [prepares, seals] = [ids.slice(0, 2), ids.slice(2)];
  await sql("UPDATE signature_request SET status = 'preparing', step = 'prepare' WHERE id = ANY ($1)", prepares);
  await sql('UPDATE signature_request_document SET presented_storage_key = NULL WHERE request_id = ANY ($1)', prepares);
  await sql("UPDATE signature_signer SET status = 'waiting', signed_at = NULL WHERE request_id = ANY ($1)", prepares);
  const keys = await mkdtemp(join(tmpdir(), 'chancery-killed-'));
  const { name } = await makeSigner(keys, 'Mortal');
  const files = join(chancery.config.DATA_DIR, 'files');
  const about = steps.map((step, n) => `${step}=${ids[n]}`);
  const node = spawn(process.execPath, ['test/fixtures/seal-node.ts', chancery.databaseUrl, files, join(keys, name), team.id, ...about], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  node.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await eventually('each request is at its step', async () => steps.every((step, n) => said.includes(`${step} ${ids[n]}\n`)));
  node.kill('SIGKILL');
  await rm(keys, { recursive: true });
  const stood = await Promise.all(ids.map(async (id) => (await read(id)).status));
  assert.deepEqual(stood, ['preparing', 'preparing', 'sealing', 'sealing', 'sealing', 'sealing', 'completed']);

  // The jobs of a crashed node are claimed again after their lease, even if it had finished them without a commit.
  await chancery.database.inTeam(team.id, async (db) => {
    for (const request of prepares) enqueue({ db, team: team.id }, prepareJob, { request }, { key: request });
    for (const request of seals) askForSeal({ db, team: team.id }, request);
  });
  await Promise.all([...prepares.map((id) => until(id, 'pending')), ...seals.map((id) => until(id, 'completed'))]);
  await eventually('no work is left', async () => {
    const left = await sql("SELECT 1 FROM job WHERE name LIKE 'signature-%' AND data->>'request' = ANY ($1)", ids);
    return left.length === 0;
  });
  for (const id of seals) {
    const done = await read(id);
    assert.equal((await sql("SELECT 1 FROM audit_entry WHERE type = 'signature.completed' AND target_id = $1", id)).length, 1);
    for (const { documentId, sealedVersion, sealedSha256 } of done.documents) {
      const versions = await ok(creator, 'GET', `${documents}/${documentId}/versions`);
      assert.deepEqual([versions.length, sealedVersion, versions[0].sha256], [2, 2, sealedSha256]);
      const sealed = await bytesOf(`${documents}/${documentId}/content?version=2`, creator);
      assert.deepEqual([hashOf(sealed), hashOf(sealed.subarray(0, upload.length))], [sealedSha256, hashOf(upload)]);
    }
  }
});

/** Documents with the PDFs of an envelope. */
const envelopeOf = async (...titles: string[]) => ({
  documents: await Promise.all(titles.map(async (title) => ({ documentId: (await pdfDocument(chancery, creator, { title })).id }))),
});

test('an envelope of three documents is signed once, and each becomes a separate sealed file', { skip: withoutPdfTools }, async () => {
  const email = 'ada.envelope@acme.example';
  const fields = [{ kind: 'signature', document: 1, page: 2, x: 72, y: 600, width: 160, height: 30 }];
  const signers = [
    { email, name: 'Ada Acme', locale: 'de', fields },
    { email: 'grace.envelope@acme.example', name: 'Grace Acme' },
  ];
  const made = await askToSign(chancery, creator, { ...(await envelopeOf('Agreement', 'Annex A', 'Annex B')), signers });
  const token = await linkTo(chancery, email);
  for (const at of [0, 1, 2]) assert.equal(hashOf(await bytesOf(link(token, `/document?document=${at}`))), hashOf(upload));
  await ok(undefined, 'POST', link(token, '/sign'), { consent: true, name: 'Ada Acme' });
  await ok(undefined, 'POST', link(await linkTo(chancery, 'grace.envelope@acme.example'), '/sign'), {
    consent: true,
    name: 'Grace Acme',
  });
  const done = await until(made.id, 'completed');
  assert.equal(new Set(done.documents.map(({ sealedSha256 }: any) => sealedSha256)).size, 3);
  for (const [at, { documentId, title, sealedVersion, sealedSha256, sealLevel }] of done.documents.entries()) {
    const sealed = await bytesOf(link(token, `/sealed?document=${at}`));
    assert.deepEqual([sealedVersion, hashOf(sealed), sealLevel], [2, sealedSha256, 'B-T']);
    assert.deepEqual(hashOf(sealed.subarray(0, upload.length)), hashOf(upload));
    assert.equal((await ok(creator, 'GET', `${documents}/${documentId}`)).status, 'signed');
    const said = askTool(sealed, 'pdftotext', '-layout', 'PDF', '-');
    assert.match(said, new RegExp(`Certificate of signing\\s+${title}`));
    assert.match(said, /Consent in\s+German/);
    assert.match(said, /Consent in\s+English/);
    assert.match(askTool(sealed, 'qpdf', '--check', 'PDF'), /No syntax or stream encoding errors/);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(sealed)], { type: 'application/pdf' }), 'sealed.pdf');
    const verified = await ok(undefined, 'POST', `${signatures}/verify`, form);
    assert.deepEqual([verified.status, verified.request?.id, verified.request?.title], ['valid', made.id, title]);
  }
  const [event] = await sql("SELECT data FROM audit_entry WHERE type = 'signature.completed' AND target_id = $1", made.id);
  assert.deepEqual(
    event.data.documents,
    done.documents.map(({ documentId, sealedVersion, sealedSha256 }: any) => ({
      documentId,
      documentVersion: 1,
      sealedVersion,
      sealedSha256,
    })),
  );
});

test('one seal of an envelope fails: none is published, and the retry seals the missing files only', async () => {
  const id = await signedByAll(await envelopeOf('First', 'Second', 'Third'));
  const sealed: string[] = [];
  const failing =
    (fails: string): Sealing['seal'] =>
    async (order) => {
      sealed.push(order.evidence.documentName);
      if (order.evidence.documentName === fails) throw new SealFailed('timestamp', 'The timestamp authority returned status 503.');
      return sealedAs(order.evidence.documentName)(order);
    };
  await carryOut(await working(failing('Second')), id);
  const waiting = await read(id);
  assert.deepEqual([waiting.status, waiting.step, sealed], ['sealing', 'timestamp', ['First', 'Second']]);
  const versions = async () =>
    (
      await sql(
        'SELECT current_version FROM document WHERE id = ANY ($1)',
        waiting.documents.map(({ documentId }: any) => documentId),
      )
    ).map(({ current_version: version }) => version);
  assert.deepEqual(await versions(), [1, 1, 1]);
  await carryOut(await working(failing('Third'), () => new Date(Date.now() + 25 * 3_600_000)), id);
  const failed = await read(id);
  assert.deepEqual([failed.status, failed.documents.map(({ error }: any) => error !== undefined)], ['failed', [false, false, true]]);
  assert.deepEqual(
    [sealed.splice(0), await versions()],
    [
      ['First', 'Second', 'Second', 'Third'],
      [1, 1, 1],
    ],
  );
  await chancery.pool.query("UPDATE signature_request SET status = 'sealing', step = 'seal', step_since = now() WHERE id = $1", [id]);
  // Several nodes retry at once.
  await Promise.all(Array.from({ length: 4 }, async () => carryOut(await working(failing('')), id)));
  assert.deepEqual([...new Set(sealed)], ['Third']);
  const done = await read(id);
  assert.deepEqual([done.status, await versions()], ['completed', [2, 2, 2]]);
  assert.deepEqual(await sql('SELECT 1 FROM signature_seal WHERE request_id = $1', id), []);
});

test('one document of an envelope that cannot be presented fails the request, and no signer gets an email', async () => {
  const email = 'ada.unpresentable@acme.example';
  const { documents: named } = await envelopeOf('Readable');
  const form = new FormData();
  form.set('title', 'Broken');
  form.set('file', new Blob(['no PDF'], { type: 'application/pdf' }), 'broken.pdf');
  const broken = await ok(creator, 'POST', `${documents}/`, form);
  const made = await askToSign(chancery, creator, { documents: [...named, { documentId: broken.id }], signers: [{ email, name: 'Ada' }] });
  const failed = await until(made.id, 'failed');
  assert.deepEqual(
    failed.documents.map(({ title, error }: any) => [title, error]),
    [
      ['Readable', undefined],
      ['Broken', 'not_a_pdf'],
    ],
  );
  assert.deepEqual(await sql('SELECT 1 FROM mail_message WHERE recipient = $1', email), []);
  const [event] = await sql("SELECT data FROM audit_entry WHERE type = 'signature.failed' AND target_id = $1", made.id);
  assert.equal(event.data.failedDocumentId, broken.id);
  const mails = await sql(
    "SELECT text_body FROM mail_message WHERE recipient = $1 AND subject LIKE 'Failed: Readable (+1)'",
    creator.email,
  );
  assert.match(mails[0]?.text_body ?? '', /Broken: not_a_pdf/);
  assert.equal((await ok(creator, 'POST', `${signatures}/${made.id}/retry`)).documents[1].error, undefined);
});

test('a failed sealing shows its step and next retry, fails after a day, and needs no new signatures', async () => {
  const id = await signedByAll();
  const away = async (): Promise<never> => {
    throw new SealFailed('timestamp', 'The timestamp authority returned status 503.');
  };
  const outcome = await carryOut(await working(away), id);
  const waiting = await read(id);
  assert.deepEqual([waiting.status, waiting.step, waiting.error], ['sealing', 'timestamp', 'The timestamp authority returned status 503.']);
  assert.ok(outcome && 'later' in outcome && outcome.later.toISOString() === waiting.nextRetryAt);
  await carryOut(await working(away, () => new Date(Date.now() + 25 * 3_600_000)), id);
  const failed = await read(id);
  assert.deepEqual([failed.status, failed.step, failed.signers[0].status], ['failed', 'timestamp', 'signed']);
  const mails = await sql("SELECT 1 FROM mail_message WHERE recipient = $1 AND subject LIKE 'Failed%'", creator.email);
  assert.ok(mails.length >= 1);
});
