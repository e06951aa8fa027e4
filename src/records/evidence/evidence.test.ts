import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { endDocumentOf } from '#documents';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { keysOf, type SequencerNode, sequencerNode } from '../../../test/sequencer.ts';
import { askToSign, outToSign, pdfDocument, signatures } from '../../../test/signatures.ts';
import { unzipped } from '../../../test/unzip.ts';
import { verifierKey } from '../journal/tree/note.ts';
import { createDiskStorage } from '../../platform/storage/disk.ts';
import type { FileStore } from '../../platform/storage/storage.ts';
import { dropOldPacks, type Packing, packJob } from './jobs.ts';

const path = '/api/v1/evidence';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let marcus: User;
let sequencer: SequencerNode;
let storage: FileStore;
let deps: Packing;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  [creator, marcus] = [await chancery.user(team), await chancery.user(team)];
  storage = await createDiskStorage({ folder: join(chancery.config.DATA_DIR, 'files') });
  deps = { database: chancery.database, listeners: [], storage, clock: () => new Date(), keys: await keysOf(chancery) };
  sequencer = await sequencerNode(chancery);
  await sequencer.start();
});
after(async () => {
  await sequencer.stop();
  await chancery.stop();
});

const send = (by: { token: string } | undefined, method: string, at: string, body?: unknown) =>
  chancery.call(method, at, { ...(by ? { token: by.token } : {}), ...(body === undefined ? {} : { body }) });
async function ok(...args: Parameters<typeof send>): Promise<any> {
  const answer = await send(...args);
  assert.ok(answer.status < 300, `${args[1]} ${args[2]} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}
const sql = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
const acts = async (target: string, type: string) =>
  sql('SELECT actor_type, actor_id, data FROM audit_entry WHERE target_id = $1 AND type = $2 ORDER BY id', target, type);

/** Does the background work that a pack waits for. */
async function carryOut(by: { token: string }, id: string): Promise<any> {
  return eventually('the end of the pack', async () => {
    await packJob.run(deps, { team: team.id, pack: id }, { id, team: team.id, attempt: 1, signal: new AbortController().signal });
    const pack = await ok(by, 'GET', `${path}/${id}`);
    return pack.status === 'pending' ? undefined : pack;
  });
}

async function files(by: { token: string }, id: string): Promise<Record<string, Buffer>> {
  const pack = await carryOut(by, id);
  assert.equal(pack.status, 'ready', pack.detail);
  const answer = await fetch(`${chancery.url}${path}/${id}/file`, { headers: { authorization: `Bearer ${by.token}` } });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/zip']);
  return unzipped(Buffer.from(await answer.arrayBuffer()));
}

/** Unpacks into an empty folder, runs the script of the pack, and removes the folder. */
function verified(pack: Record<string, Buffer>, ...given: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    for (const [name, bytes] of Object.entries(pack)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['verify.mjs', ...given], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout : `${status}: ${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same pack with one bit flipped in the middle of a file. */
function withChanged(pack: Record<string, Buffer>, name: string, at = 0.5): Record<string, Buffer> {
  const bytes = Buffer.from(pack[name] ?? assert.fail(`${name} is not in the pack`));
  const place = Math.floor(bytes.length * at);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return { ...pack, [name]: bytes };
}

async function signed(): Promise<{ document: string; request: string }> {
  const document = await pdfDocument(chancery, creator);
  const { id: request } = await askToSign(chancery, creator, { documentId: document.id });
  const [token] = await outToSign(chancery, request);
  await ok(undefined, 'POST', `${signatures}/public/${token}/open`);
  await ok(undefined, 'POST', `${signatures}/public/${token}/sign`, { consent: true, name: 'Ada' });
  return { document: document.id, request };
}

test('a pack verifies in an empty folder without the service, but not after a bit of any part changed', async () => {
  const { document, request } = await signed();
  const requested = await ok(creator, 'POST', path, { documentId: document, include: ['network'] });
  assert.deepEqual([requested.status, requested.documentId, requested.include], ['pending', document, ['network']]);
  const early = await send(creator, 'GET', `${path}/${requested.id}/file`);
  assert.deepEqual([early.status, early.body.code], [409, 'evidence_not_ready']);
  const pack = await files(creator, requested.id);
  const file = Object.keys(pack).find((name) => name.startsWith('files/')) ?? '';
  assert.deepEqual(
    Object.keys(pack).toSorted(),
    [
      file,
      'index.html',
      'journal.jsonl',
      'manifest.json',
      ...['0001.jws', '0002.jws'].map((name) => `signatures/${request}/${name}`),
      'signatures/keys.json',
      'verify.mjs',
    ].toSorted(),
  );
  assert.match(verified(pack), /^OK: 6 files, \d+ journal entries, 2 verified signatures of statements\./);
  for (const [name, at, said] of [
    [file, 0.5, /was changed/],
    ['index.html', 0.5, /was changed/],
    ['manifest.json', 0.1, /./],
    [`signatures/${request}/0001.jws`, 0.5, /was changed/],
    ['journal.jsonl', 0.5, /journal\.jsonl/],
    ['journal.jsonl', 0.01, /./],
  ] as const)
    assert.match(verified(withChanged(pack, name, at)), new RegExp(`^1: DOES NOT MATCH: .*${said.source}`), `${name} ${at}`);
  assert.match(verified({ ...pack, 'files/more.pdf': Buffer.from('more') }), /more\.pdf was added/);
  // A forged manifest does not match the hash in the journal.
  const forged = Buffer.from(pack['manifest.json']?.toString().replace('"leftOut": []', '"leftOut": [ ]') ?? '');
  assert.match(verified({ ...pack, 'manifest.json': forged }), /the journal has a different hash of manifest\.json/);

  const key = await ok(creator, 'GET', '/.well-known/witness-jwks.json');
  const origin = /"checkpoint":"([^\\]+)/.exec(pack['journal.jsonl']?.toString() ?? '')?.[1] ?? '';
  assert.match(verified(pack, '--key', verifierKey(origin, 1, Buffer.from(key.keys[0].x, 'base64url'))), /the key was given/);
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  assert.match(verified(pack, '--key', verifierKey(origin, 1, Buffer.from(x, 'base64url'))), /no valid signature of the key/);

  assert.equal((await acts(document, 'document.content_read')).length, 1);
  assert.deepEqual((await acts(requested.id, 'evidence.requested'))[0].data, {
    subjectType: 'document',
    subjectId: document,
    network: true,
  });
  assert.equal((await acts(requested.id, 'evidence.downloaded')).length, 1);
  assert.equal((await send(marcus, 'GET', `${path}/${requested.id}`)).status, 404, 'the pack is for its requester');

  // A day later it is deleted with its file.
  const [{ storage_key: kept }] = await sql('SELECT storage_key FROM evidence_pack_file WHERE id = $1', requested.id);
  await dropOldPacks({ database: chancery.database, storage }, new Date(Date.now() + 25 * 3_600_000));
  assert.deepEqual([(await send(creator, 'GET', `${path}/${requested.id}`)).status, await storage.has(kept)], [404, false]);
});

test('entries between the file list and the end of the journal are reported as later than the pack', async () => {
  const owner = await chancery.user(team);
  const document = await pdfDocument(chancery, owner);
  const requested = await ok(owner, 'POST', path, { documentId: document.id });
  await packJob.run(
    deps,
    { team: team.id, pack: requested.id },
    { id: requested.id, team: team.id, attempt: 1, signal: new AbortController().signal },
  );
  assert.equal((await acts(requested.id, 'evidence.manifest_recorded')).length, 1);
  await ok(owner, 'PUT', `${documents}/${document.id}`, { title: 'Another title' });
  await eventually('the entry is integrated', async () => {
    const [entry] = await sql("SELECT seq FROM audit_entry WHERE target_id = $1 AND type = 'document.updated'", document.id);
    return entry.seq !== null;
  });
  assert.match(verified(await files(owner, requested.id)), /^OK: .*\n.*\nAfter the file list: 1 of these entries\. /);
  const later = await ok(owner, 'POST', path, { documentId: document.id });
  assert.doesNotMatch(verified(await files(owner, later.id)), /After the file list/);
});

test('without `network` a pack has no addresses; a request pack is for the requester, a workflow pack for the owner of its document', async () => {
  const { document, request } = await signed();
  const workflow = await ok(creator, 'POST', '/api/v1/workflows', {
    name: 'Review',
    documentId: document,
    steps: [{ id: 'review', type: 'review', name: 'Review', assignees: [marcus.id] }],
  });
  await ok(creator, 'POST', `/api/v1/workflows/${workflow.id}/start`);
  for (const [body, least] of [
    [{ signatureRequestId: request }, 4],
    [{ workflowId: workflow.id }, 3],
  ] as const) {
    const { id } = await ok(creator, 'POST', path, body);
    const pack = await files(creator, id);
    assert.match(verified(pack), /^OK: [^]*Left out: Network addresses/);
    if ('signatureRequestId' in body) {
      assert.match(
        verified(pack),
        /^OK: .* 0 verified signatures of statements, 2 statements without addresses\.\n[^]*^NOT VERIFIED: the signatures of 2 statements/m,
      );
      assert.match(pack['index.html']?.toString() ?? '', /The script does not verify the signatures of statements/);
      const { keys } = JSON.parse(pack['signatures/keys.json']?.toString() ?? '{}');
      assert.deepEqual(
        keys.map(({ kty, crv }: any) => `${kty} ${crv}`),
        ['OKP Ed25519'],
      );
    }
    for (const [name, bytes] of Object.entries(pack))
      assert.doesNotMatch(bytes.toString('latin1'), /127\.0\.0\.1|"ip":"[^"]*\.|"address"/, name);
    const lines = pack['journal.jsonl']?.toString().split('\n').length ?? 0;
    assert.ok(lines > least, `${lines} lines`);
    if ('signatureRequestId' in body) {
      assert.match(verified(withChanged(pack, `signatures/${request}/0002.json`)), /was changed/);
      assert.ok(Object.keys(pack).some((name) => name.startsWith('files/version 1 ')));
    } else assert.match(pack['journal.jsonl']?.toString() ?? '', /"type":"task\.created"/);
  }
});

test('a pack of a workflow has the files and entries of all its documents, and a barrier around any of them hides it', async () => {
  const folder = await chancery.folder(creator);
  const [first, second] = [await pdfDocument(chancery, creator), await pdfDocument(chancery, creator, { folderId: folder.id })];
  const { id: workflowId } = await ok(creator, 'POST', '/api/v1/workflows', {
    name: 'Closing',
    documents: [
      { name: 'contract', documentId: first.id },
      { name: 'annex', documentId: second.id },
    ],
    steps: [{ id: 'sign', type: 'signature', config: { documents: ['annex'], signers: [{ email: 'ada@example.org', name: 'Ada' }] } }],
  });
  await ok(creator, 'POST', `/api/v1/workflows/${workflowId}/start`);
  const [{ request_id: request }] = await sql('SELECT request_id FROM signature_request_document WHERE document_id = $1', second.id);
  const { id } = await ok(creator, 'POST', path, { workflowId });
  const pack = await files(creator, id);
  assert.match(verified(pack), /^OK/);
  const manifest = JSON.parse(pack['manifest.json']?.toString() ?? '');
  const listed = manifest.files.flatMap(({ documentId, version }: any) => (documentId ? [[documentId, version]] : []));
  assert.deepEqual(listed, [
    [first.id, 1],
    [second.id, 1],
  ]);
  for (const one of [workflowId, first.id, second.id, request]) assert.ok(manifest.about.includes(one), one);
  for (const one of [first, second]) assert.equal((await acts(one.id, 'document.content_read')).length, 1);
  await ok(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [marcus.id] });
  for (const to of [id, `${id}/file`]) assert.equal((await send(team.owner, 'GET', `${path}/${to}`)).status, 404, to);
});

test('a pack is for its owner and administrators, and a barrier around its document hides it', async () => {
  const folder = await chancery.folder(creator);
  const { id: documentId } = await pdfDocument(chancery, creator, { folderId: folder.id });
  const ask = (by: User) => send(by, 'POST', path, { documentId });
  assert.equal((await ask(marcus)).status, 404);
  await ok(creator, 'POST', `${documents}/${documentId}/access`, { userId: marcus.id, access: 'write' });
  assert.equal((await ask(marcus)).status, 403);
  // Actions of others that the owner does not see are only in the packs of team managers.
  await ok(marcus, 'POST', '/api/v1/tasks', { title: 'Doubtful task', documentId, assignedTo: marcus.id });
  const steps = [{ id: 'a', type: 'task', assignees: [marcus.id] }];
  await ok(marcus, 'POST', '/api/v1/workflows', { name: 'Doubtful draft', documentId, steps });
  await ok(creator, 'POST', '/api/v1/tasks', { title: 'Task of mine', documentId, assignedTo: marcus.id });
  const ofOwner = await ok(creator, 'POST', path, { documentId });
  const namesIn = (from: Record<string, Buffer>) => [
    ...new Set(
      from['journal.jsonl']
        ?.toString()
        .match(/Task of mine|Doubtful \w+/g)
        ?.toSorted(),
    ),
  ];
  assert.deepEqual(namesIn(await files(creator, ofOwner.id)), ['Task of mine']);
  for (const body of [{}, { documentId, workflowId: documentId }]) assert.equal((await send(creator, 'POST', path, body)).status, 400);

  const byRole = await ok(team.owner, 'POST', path, { documentId, include: ['network'] });
  assert.equal((await acts(byRole.id, 'evidence.requested'))[0].data.via, 'role');
  const pack = await files(team.owner, byRole.id);
  assert.match(pack['journal.jsonl']?.toString() ?? '', /"address":\{"salt"/, 'journal readers see addresses');
  assert.deepEqual(namesIn(pack), ['Doubtful draft', 'Doubtful task', 'Task of mine']);
  assert.match(verified(pack), /^OK/);

  // The administrator views the owner’s pack, and the journal records the role.
  assert.equal((await send(team.owner, 'GET', `${path}/${ofOwner.id}`)).body.status, 'ready');
  assert.ok(Object.keys(await files(team.owner, ofOwner.id)).length > 0);
  assert.equal((await acts(ofOwner.id, 'evidence.downloaded')).at(-1).data.via, 'role');
  assert.equal((await send(marcus, 'GET', `${path}/${ofOwner.id}`)).status, 404);

  const waiting = await ok(team.owner, 'POST', path, { documentId });
  await ok(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [creator.id] });
  await packJob.run(
    deps,
    { team: team.id, pack: waiting.id },
    { id: waiting.id, team: team.id, attempt: 1, signal: new AbortController().signal },
  );
  assert.deepEqual(await sql('SELECT status, code FROM evidence_pack WHERE id = $1', waiting.id), [
    { status: 'failed', code: 'not_found' },
  ]);
  assert.equal((await ask(team.owner)).status, 404);
  for (const to of [`${byRole.id}/file`, byRole.id, ofOwner.id])
    assert.equal((await send(team.owner, 'GET', `${path}/${to}`)).status, 404, to);
});

test('a pack stays with its owner who lost access to the document, and is deleted when the document is erased', async () => {
  const seller = await chancery.user(team);
  const sold = await pdfDocument(chancery, seller);
  const { id } = await ok(seller, 'POST', path, { documentId: sold.id });
  await files(seller, id);
  await sql('UPDATE document SET user_id = $2 WHERE id = $1', sold.id, creator.id);
  assert.equal((await send(seller, 'GET', `${documents}/${sold.id}`)).status, 404);
  assert.ok(Object.keys(await files(seller, id)).length > 0);
  await chancery.database.inTeam(team.id, (db) =>
    endDocumentOf({ db, team: team.id, actor: { type: 'system' }, now: new Date(), requestId: 'erase', listeners: [] }, sold.id),
  );
  for (const to of [id, `${id}/file`]) assert.equal((await send(seller, 'GET', `${path}/${to}`)).status, 404, to);
});

test('new resources do not displace listed ones during the creation of a pack; deleted ones are in no pack', async () => {
  const { id: documentId } = await pdfDocument(chancery, creator);
  const draft = async (n: number): Promise<string> => {
    const id = `ffffffff-ffff-7fff-bfff-${String(n).padStart(12, '0')}`;
    await sql(
      `WITH w AS (INSERT INTO workflow (team_id, id, name, document_id, linked_document_id, created_by, owner_id)
         VALUES ($1, $2, 'One of many', $3::text, $3::uuid, $4, $4))
       INSERT INTO workflow_document (team_id, workflow_id, name, position, document_id, linked_document_id, linked_by)
       VALUES ($1, $2, 'document', 0, $3::text, $3::uuid, $4)`,
      team.id,
      id,
      documentId,
      creator.id,
    );
    return id;
  };
  const written = async (meanwhile: () => Promise<unknown>): Promise<any> => {
    const { id } = await ok(team.owner, 'POST', path, { documentId });
    await packJob.run(deps, { team: team.id, pack: id }, { id, team: team.id, attempt: 1, signal: new AbortController().signal });
    await meanwhile();
    return carryOut(team.owner, id);
  };
  // As many workflows as the maximum of a pack.
  for (let n = 0; n < 100; n += 1) await draft(n);
  const last = await draft(100);
  const pack = await written(() => draft(101));
  assert.equal(pack.status, 'ready', pack.detail);
  const version = (from: number, to: number) =>
    sql(
      `INSERT INTO document_version (team_id, document_id, number, storage_key, file_name, media_type, size, sha256, created_by)
       SELECT team_id, document_id, n, storage_key, file_name, media_type, size, sha256, created_by
       FROM document_version, generate_series($2::int, $3::int) n WHERE document_id = $1 AND number = 1`,
      documentId,
      from,
      to,
    );
  // And as many versions.
  await version(2, 200);
  const many = await written(() => version(201, 202));
  assert.equal(many.status, 'ready', many.detail);
  const without = await written(() => sql('DELETE FROM workflow WHERE id = $1', last));
  assert.deepEqual([without.status, without.code], ['failed', 'not_found']);
});

test('of many concurrent requests two are accepted, and a person may request five in a day', async () => {
  const by = await chancery.user(team);
  const { id: documentId } = await pdfDocument(chancery, by);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(by, 'POST', path, { documentId })));
  const codes = answers.map(({ status, body }) => (status === 201 ? 'made' : body.code));
  assert.deepEqual([codes.filter((code) => code === 'made').length, new Set(codes)], [2, new Set(['made', 'evidence_in_progress'])]);
  const fail = () => sql("UPDATE evidence_pack SET status = 'failed', ended_at = now() WHERE status = 'pending'");
  for (let n = 3; n <= 5; n += 1) {
    await fail();
    await ok(by, 'POST', path, { documentId });
  }
  await fail();
  const sixth = await send(by, 'POST', path, { documentId });
  assert.deepEqual([sixth.status, sixth.body.code], [429, 'evidence_limit_reached']);
});

const packScopes = ['evidence:read', 'documents:read', 'workflows:read', 'tasks:read', 'signatures:read'];

test('an API client that sees the whole team requests and reads packs, within its scopes and outside of barriers', async () => {
  const author = await chancery.user(team);
  const { id: document } = await pdfDocument(chancery, author);
  const client = await chancery.client(team.owner, packScopes);
  const requested = await ok(client, 'POST', path, { documentId: document, include: ['network'] });
  const pack = await files(client, requested.id);
  assert.match(verified(pack), /^OK/);
  assert.doesNotMatch(pack['journal.jsonl']?.toString() ?? '', /"address":/, 'addresses are for managers of the team');
  assert.equal((await send(marcus, 'GET', `${path}/${requested.id}`)).status, 404);
  assert.deepEqual(
    (await acts(requested.id, 'evidence.requested')).map(({ actor_type, actor_id }: any) => [actor_type, actor_id]),
    [['client', client.id]],
  );
  const theirs = await ok(author, 'POST', path, { documentId: document });
  assert.equal((await send(client, 'GET', `${path}/${theirs.id}`)).status, 404, 'packs of others');
  for (const scope of packScopes) {
    const narrow = await chancery.client(
      team.owner,
      packScopes.filter((one) => one !== scope),
    );
    const refused = await send(narrow, 'POST', path, { documentId: document });
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'], scope);
  }
  const folder = await chancery.folder(author);
  const hidden = await pdfDocument(chancery, author, { folderId: folder.id });
  await ok(author, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  assert.equal((await send(client, 'POST', path, { documentId: hidden.id })).status, 404);
});
