import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';
import { type JobNode, letJobsBeDue, startJobNode } from '../../../test/jobs.ts';
import { textOf, withoutPdfTools } from '../../../test/pdf.ts';
import { depsOf, issuesDocuments, saying } from '../../../test/issued-documents.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { createDiskStorage } from '../../platform/storage/disk.ts';
import type { FileStore } from '../../platform/storage/storage.ts';
import { createTypesetter, type Typesetter } from '../../platform/typesetting/typesetter.ts';
import type { Scope } from '../../platform/scope.ts';
import { issueDocumentJob } from './jobs.ts';
import type { Issued, IssuedDocumentKind } from './kinds.ts';
import { type IssuedDocument, issuedDocumentOf, requestDocument, retryDocument, withdrawDocument } from './service.ts';

const kind = 'note';
let chancery: Chancery;
let team: TestTeam;
let folder: string;
let storage: FileStore;
let typesetter: Typesetter;
let node: JobNode;
const received: { about: string; issued: Issued }[] = [];
const failures: string[] = [];
/** The error to cause, by source. */
const broken = new Map<string, string>();

const notes: IssuedDocumentKind = {
  kind,
  async manuscript(scope, about, { code }) {
    if (about === broken.get('gone')) return undefined;
    return saying(`about ${about} of ${scope.team}`, code, broken.get(about));
  },
  async issued(_scope, about, issued) {
    received.push({ about, issued });
  },
  async failed(_scope, about) {
    failures.push(about);
  },
};

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team('Harbour & Lane');
  folder = await mkdtemp(join(tmpdir(), 'chancery-issued-documents-'));
  storage = await createDiskStorage({ folder });
  typesetter = createTypesetter({ log: { warn: () => undefined }, workers: 1 });
  node = await startJobNode(chancery.databaseUrl, issuesDocuments({ storage, typesetter, kinds: [notes] }));
});
after(async () => {
  await node.stop();
  await typesetter.close();
  await rm(folder, { recursive: true, force: true });
  await chancery.stop();
});

const inTeam = <T>(work: (scope: Scope) => Promise<T>, of = team): Promise<T> =>
  chancery.database.inTeam(of.id, (db) =>
    work({ db, team: of.id, actor: { type: 'system' }, now: new Date(), requestId: 'test', listeners: [] }),
  );
const ask = async (about: string = randomUUIDv7(), of = team): Promise<string> => {
  await inTeam(async (scope) => requestDocument(scope, { kind, about }), of);
  return about;
};
const look = (about: string, of = team) => inTeam((scope) => issuedDocumentOf(scope, { kind, about }), of);
const when = (about: string, status: IssuedDocument['status']): Promise<IssuedDocument> =>
  eventually(`the document of ${about} is ${status}`, async () => {
    const found = await look(about);
    return found?.status === status ? found : undefined;
  });
const noneLeft = () =>
  eventually(
    'no pending documents',
    async () => (await chancery.pool.query("SELECT FROM job WHERE name = 'issued-document' AND state <> 'failed'")).rowCount === 0,
  );
const ready = async (about: string) => {
  const found = await when(about, 'ready');
  assert.ok(found.file);
  const bytes = await buffer(await storage.read(found.file.key));
  return { ...found, file: found.file, bytes };
};
const codeIn = (bytes: Uint8Array) => /[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){3}/.exec(textOf(bytes))?.[0] ?? '';
const verify = (body: object, headers = {}) => chancery.call('POST', '/api/v1/issued-documents/verify', { body, headers });
const entries = async (about: string) =>
  (await chancery.pool.query("SELECT type FROM audit_entry WHERE data ->> 'aboutId' = $1 ORDER BY id", [about])).rows.map(
    ({ type }) => type,
  );

test('a document is created once when its transaction commits, and not after a rollback', async () => {
  const never = randomUUIDv7();
  await assert.rejects(
    inTeam(async (scope) => {
      requestDocument(scope, { kind, about: never });
      throw new Error('no');
    }),
  );
  const about = await ask();
  const { bytes, file } = await ready(about);
  await ask(about);
  const again = await ready(about);
  assert.equal(again.file.key, file.key, 'a repeated request results in one document');
  assert.equal(await look(never), undefined);
  assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256);
  assert.deepEqual([bytes.length, 1], [file.size, file.pages]);
  assert.deepEqual(
    received.filter((one) => one.about === about).map(({ issued }) => issued.sha256),
    [file.sha256],
  );
  assert.deepEqual(await entries(about), ['issued_document.created']);
  assert.equal(await look(about, await chancery.team()), undefined, 'another team cannot see the document');
});

test('after a crash another node creates the document once', async () => {
  await node.stop();
  const other = spawn(process.execPath, ['test/fixtures/issued-document-node.ts', chancery.databaseUrl, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const about = await ask();
  try {
    assert.equal(String((await once(other.stdout, 'data'))[0]).trim(), about);
  } finally {
    other.kill('SIGKILL');
  }
  assert.equal((await look(about))?.status, 'pending');
  // Ends the lease of the crashed node.
  await letJobsBeDue(chancery.pool, 'running', 'issued-document');
  node = await startJobNode(chancery.databaseUrl, issuesDocuments({ storage, typesetter, kinds: [notes] }));
  const { file } = await ready(about);
  const kept = (
    await chancery.pool.query(
      'SELECT f.storage_key FROM issued_document_file f JOIN issued_document r USING (team_id, id) WHERE r.about = $1',
      [about],
    )
  ).rows;
  assert.deepEqual(kept, [{ storage_key: file.key }]);
  assert.deepEqual(await entries(about), ['issued_document.created']);
});

test('two nodes that create the same document concurrently result in one document and one file', async () => {
  await node.stop();
  const about = await ask();
  const found = await look(about);
  const kept = (await Array.fromAsync(storage.keys())).flat().length;
  const deps = depsOf(chancery.database, { storage, typesetter, kinds: [notes] });
  const attempt = { id: randomUUIDv7(), team: team.id, attempt: 1, signal: new AbortController().signal };
  await Promise.all(Array.from({ length: 8 }, () => issueDocumentJob.run(deps, { team: team.id, documentId: found?.id ?? '' }, attempt)));
  assert.equal((await Array.fromAsync(storage.keys())).flat().length, kept + 1);
  assert.equal(received.filter((one) => one.about === about).length, 1);
  node = await startJobNode(chancery.databaseUrl, issuesDocuments({ storage, typesetter, kinds: [notes] }));
  await ready(about);
});

test('a document fails after three attempts: its domain is informed once, and a retry creates it', async () => {
  const about = randomUUIDv7();
  const took: number[] = [];
  // An unavailable storage: the third attempt is the last.
  const failing = { ...storage, write: () => (took.push(1), Promise.reject(new Error('the storage is not available'))) } as FileStore;
  await node.stop();
  node = await startJobNode(chancery.databaseUrl, issuesDocuments({ storage: failing, typesetter, kinds: [notes] }));
  await ask(about);
  const due = setInterval(() => void letJobsBeDue(chancery.pool, 'waiting', 'issued-document'), 100);
  try {
    const failed = await when(about, 'failed');
    assert.equal(failed.error, 'the storage is not available');
    assert.equal(took.length, 3);
  } finally {
    clearInterval(due);
  }
  assert.deepEqual(
    failures.filter((one) => one === about),
    [about],
  );
  await assert.rejects(
    inTeam((scope) => retryDocument(scope, { kind, about: randomUUIDv7() })),
    /document_not_failed/,
  );

  await node.stop();
  node = await startJobNode(chancery.databaseUrl, issuesDocuments({ storage, typesetter, kinds: [notes] }));
  await inTeam((scope) => retryDocument(scope, { kind, about }));
  await ready(about);
  await assert.rejects(
    inTeam((scope) => retryDocument(scope, { kind, about })),
    /document_not_failed/,
  );
  assert.deepEqual(await entries(about), ['issued_document.failed', 'issued_document.retried', 'issued_document.created']);
});

test('a template error fails at once, and a deleted source has no document', async () => {
  const about = randomUUIDv7();
  broken.set(about, '#panic("no")\n');
  await ask(about);
  assert.match((await when(about, 'failed')).error ?? '', /main\.typ:1: panicked with: "no"/);
  const gone = randomUUIDv7();
  broken.set('gone', gone);
  await ask(gone);
  await when(gone, 'withdrawn');
});

test('the size of a document counts towards the storage of the team', async () => {
  const small = await chancery.team();
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'storage', 100)", [small.id]);
  const about = await ask(undefined, small);
  await eventually('the document fails because of the storage quota', async () => {
    await letJobsBeDue(chancery.pool, 'waiting', 'issued-document');
    const found = await look(about, small);
    return found?.status === 'failed' && /quota/.test(found.error ?? '');
  });
});

test('a code alone proves that a document exists, and its hash proves that a file is authentic', { skip: withoutPdfTools }, async () => {
  const { bytes, file, issuedAt } = await ready(await ask());
  const code = codeIn(bytes);
  assert.match(code, /^.{5}-.{5}-.{5}-.{5}$/);
  const known = { status: 'issued', issuer: 'Harbour & Lane', issuedAt };
  assert.deepEqual((await verify({ code })).body, known);
  for (const typed of [
    code.toLowerCase(),
    code.replaceAll('-', ''),
    ` ${code.replaceAll('-', ' ')} `,
    code.replaceAll('0', 'o').replaceAll('1', 'l'),
  ])
    assert.deepEqual((await verify({ code: typed })).body, known, typed);
  assert.deepEqual((await verify({ code, sha256: file.sha256 })).body, { ...known, genuine: true });
  assert.deepEqual((await verify({ code, sha256: file.sha256.toUpperCase() })).body, { ...known, genuine: true });
  assert.deepEqual((await verify({ code, sha256: 'ab'.repeat(32) })).body, { ...known, genuine: false });
  const { rows } = await chancery.pool.query('SELECT * FROM issued_document WHERE about IS NOT NULL');
  assert.ok(
    !JSON.stringify(rows).includes(code) && !JSON.stringify(rows).includes(code.replaceAll('-', '')),
    'the code itself is not stored',
  );
  await chancery.pool.query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [team.id]);
  assert.equal((await verify({ code })).body.code, 'verification_code_not_found');
  await chancery.pool.query("UPDATE team SET status = 'active' WHERE team_id = $1", [team.id]);
});

test(
  'erasing the source withdraws the document: its file is deleted, and its code reports the withdrawal',
  { skip: withoutPdfTools },
  async () => {
    const about = await ask();
    const { bytes, file } = await ready(about);
    const code = codeIn(bytes);
    const [usedBefore] = (
      await chancery.pool.query("SELECT sum(used)::int AS used FROM team_usage WHERE team_id = $1 AND name = 'storage'", [team.id])
    ).rows;
    await inTeam((scope) => withdrawDocument(storage, scope, { kind, about }));
    await inTeam((scope) => withdrawDocument(storage, scope, { kind, about }));
    const { status, issuer, genuine } = (await verify({ code, sha256: file.sha256 })).body;
    assert.deepEqual([status, issuer, genuine], ['withdrawn', 'Harbour & Lane', undefined]);
    await eventually('the file is deleted', async () => !(await storage.has(file.key)));
    const [usedAfter] = (
      await chancery.pool.query("SELECT sum(used)::int AS used FROM team_usage WHERE team_id = $1 AND name = 'storage'", [team.id])
    ).rows;
    assert.equal(usedBefore.used - usedAfter.used, file.size);
    assert.deepEqual(await entries(about), ['issued_document.created', 'issued_document.withdrawn']);
    assert.equal((await look(about))?.file, undefined);
  },
);

test('a document that is withdrawn before its creation is not created', async () => {
  await node.stop();
  const about = await ask();
  await inTeam((scope) => withdrawDocument(storage, scope, { kind, about }));
  await letJobsBeDue(chancery.pool, 'running');
  node = await startJobNode(chancery.databaseUrl, issuesDocuments({ storage, typesetter, kinds: [notes] }));
  await noneLeft();
  assert.equal((await look(about))?.status, 'withdrawn');
});

test('unknown codes count by IP address, and after thirty also concurrent requests are rejected', async () => {
  await chancery.pool.query('DELETE FROM throttle');
  const unknown = (n: number) => `00000-00000-00000-${String(n).padStart(5, '0')}`;
  const slip = await verify({ code: 'hello' });
  assert.deepEqual([slip.status, slip.body.code], [404, 'verification_code_not_found']);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => verify({ code: unknown(n) })));
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  assert.equal(byStatus.get(404)?.length, 30);
  assert.equal(byStatus.get(429)?.length, 20);
  assert.ok(Number(byStatus.get(429)?.[0]?.headers.get('retry-after')) > 3_000);
});
