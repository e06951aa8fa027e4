/**
 * A client written only from the specifications: RFC 9162, C2SP signed-note, tlog-checkpoint, tlog-tiles, tlog-proof, and
 * docs/concepts/audit-journal.md for entries. It imports only the test harness of the service.
 */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

const path = '/api/v1/security/audit';
const origin = 'audit.example/log';
let chancery: Chancery;
let team: TestTeam;
let stranger: TestTeam;

before(async () => {
  chancery = await startChancery({ settings: { AUDIT_ORIGIN: origin } });
  team = await chancery.team();
  stranger = await chancery.team();
  await insert(700, stranger.id);
  await Promise.all(Array.from({ length: 40 }, () => chancery.folder(team.owner)));
  await integrated();
});
after(() => chancery.stop());

const read = (rest: string, by = team.owner) => chancery.call('GET', `${path}${rest}`, { token: by.token });

async function insert(count: number, of: string): Promise<void> {
  await chancery.pool.query(
    "INSERT INTO audit_entry (team_id, id, type, actor_type, at, data) SELECT $1, gen_random_uuid(), 'test.burst', 'system', now(), jsonb_build_object('n', n, 'ü', 1.5, 'a', '{}'::jsonb) FROM generate_series(1, $2) n",
    [of, count],
  );
}

const integrated = () =>
  eventually('entries are integrated', async () => {
    const { rows } = await chancery.pool.query('SELECT EXISTS (SELECT FROM audit_entry WHERE seq IS NULL) AS waiting');
    return !rows[0].waiting;
  });

const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const node = (left: Buffer, right: Buffer) => sha(Buffer.from([1]), left, right);

/** MTH over leaf hashes (RFC 9162 §2.1.1). */
function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return leaves[0] as Buffer;
  const k = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return node(treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

/** Verifies an inclusion proof by walking down from the root, as the definition does. */
function inclusionRoot(m: number, n: number, leaf: Buffer, proof: Buffer[]): Buffer {
  if (n === 1) {
    assert.equal(proof.length, 0);
    return leaf;
  }
  const k = 2 ** Math.ceil(Math.log2(n) - 1);
  const sibling = proof.at(-1);
  assert.ok(sibling, 'the proof is long enough');
  const rest = proof.slice(0, -1);
  return m < k ? node(inclusionRoot(m, k, leaf, rest), sibling) : node(sibling, inclusionRoot(m - k, n - k, leaf, rest));
}

/** Both roots that a consistency proof leads to (RFC 9162 §2.1.4.1, its recursion run backwards). */
function consistencyRoots(m: number, n: number, proof: Buffer[], oldRoot: Buffer | undefined): { old: Buffer; next: Buffer } {
  if (m === n) {
    const own = oldRoot ?? proof[0];
    assert.ok(own && proof.length === (oldRoot ? 0 : 1));
    return { old: own, next: own };
  }
  const k = 2 ** Math.ceil(Math.log2(n) - 1);
  const sibling = proof.at(-1);
  assert.ok(sibling);
  const rest = proof.slice(0, -1);
  if (m <= k) {
    const { old, next } = consistencyRoots(m, k, rest, oldRoot);
    return { old, next: node(next, sibling) };
  }
  const { old, next } = consistencyRoots(m - k, n - k, rest, undefined);
  return { old: node(sibling, old), next: node(sibling, next) };
}

/** The keys of /.well-known/witness-jwks.json as note verifiers under the log's name. */
async function verifiers(): Promise<{ id: string; key: ReturnType<typeof createPublicKey> }[]> {
  const { body } = await chancery.call('GET', '/.well-known/witness-jwks.json');
  return body.keys.map((jwk: any) => {
    const raw = Buffer.from(jwk.x, 'base64url');
    const id = sha(Buffer.from(`${origin}\n`), Buffer.from([1]), raw)
      .subarray(0, 4)
      .toString('hex');
    return { id, key: createPublicKey({ key: jwk, format: 'jwk' }) };
  });
}

async function openCheckpoint(note: string): Promise<{ size: number; root: Buffer }> {
  const end = note.lastIndexOf('\n\n');
  const [text, signatures] = [note.slice(0, end + 1), note.slice(end + 2)];
  assert.ok(signatures.endsWith('\n'));
  const known = await verifiers();
  let valid = 0;
  for (const line of signatures.trimEnd().split('\n')) {
    const [, name, encoded] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = Buffer.from(encoded ?? '', 'base64');
    const verifier = known.find(({ id }) => id === bytes.subarray(0, 4).toString('hex'));
    if (name !== origin || !verifier) continue;
    assert.ok(verifySignature(null, Buffer.from(text), verifier.key, bytes.subarray(4)));
    valid += 1;
  }
  assert.equal(valid, 1);
  const [first, size, root, ...rest] = text.split('\n');
  assert.deepEqual([first, rest], [origin, ['']]);
  return { size: Number(size), root: Buffer.from(root ?? '', 'base64') };
}

async function fetchCheckpoint(): Promise<{ size: number; root: Buffer; note: string }> {
  const answer = await fetch(`${chancery.url}/tlog/checkpoint`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(answer.headers.get('cache-control') ?? '', /max-age=[1-5]$/);
  const note = await answer.text();
  return { ...(await openCheckpoint(note)), note };
}

async function resource(name: string): Promise<Buffer> {
  const answer = await fetch(`${chancery.url}/tlog/tile/${name}`);
  assert.equal(answer.status, 200, name);
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
  return Buffer.from(await answer.arrayBuffer());
}

/** All resources of a level for a tree of a size, by the names the specification gives them. */
function names(tiles: string, count: number): { name: string; width: number }[] {
  return Array.from({ length: Math.ceil(count / 256) }, (_, n) => {
    const width = Math.min(256, count - n * 256);
    return { name: `${tiles}/${String(n).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`, width };
  });
}

const chunks = (bytes: Buffer, width: number) =>
  Array.from({ length: bytes.length / width }, (_, i) => bytes.subarray(i * width, (i + 1) * width));

async function level(number: number, count: number): Promise<Buffer[]> {
  const tiles = await Promise.all(
    names(String(number), count).map(async ({ name, width }) => {
      const bytes = await resource(name);
      assert.equal(bytes.length, width * 32);
      return chunks(bytes, 32);
    }),
  );
  return tiles.flat();
}

function canonical(value: any): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

const entryOf = (record: object) => sha(Buffer.from(canonical(record)));
const leafOf = (entry: Buffer) => sha(Buffer.from([0]), entry);
const hashes = (list: string[]) => list.map((text) => Buffer.from(text, 'base64'));

test('an outside client recomputes the tree from the bundles, and every tile, to the signed root', async () => {
  const { size, root } = await fetchCheckpoint();
  assert.ok(size > 700);
  const bundles = await Promise.all(names('entries', size).map(({ name }) => resource(name)));
  const entries: Buffer[] = [];
  for (const bundle of bundles) {
    for (let at = 0; at < bundle.length;) {
      const length = bundle.readUInt16BE(at);
      entries.push(bundle.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  const leaves = entries.map(leafOf);
  assert.equal(leaves.length, size);
  assert.deepEqual(await level(0, size), leaves);
  assert.deepEqual(treeHash(leaves), root);
  const above = await level(1, Math.floor(size / 256));
  assert.deepEqual(
    above,
    Array.from({ length: Math.floor(size / 256) }, (_, n) => treeHash(leaves.slice(n * 256, (n + 1) * 256))),
  );
});

test('each entry of a team is proved by its own checkpoint, and the proof file is self-contained', async () => {
  const { body } = await read('?limit=200');
  assert.ok(body.events.length >= 40);
  for (const event of body.events.slice(0, 15)) {
    const answer = await read(`/${event.id}/proof`);
    assert.equal(answer.status, 200);
    const { record, body: content, address, index, treeSize, leafHash, inclusionPath, checkpoint, tlogProof } = answer.body;
    const { size, root } = await openCheckpoint(checkpoint);
    assert.equal(treeSize, size);
    assert.equal(leafHash, leafOf(entryOf(record)).toString('base64'));
    assert.deepEqual(inclusionRoot(index, size, leafOf(entryOf(record)), hashes(inclusionPath)), root);
    // The record is the entry that the journal shows, and opens its address.
    assert.deepEqual(
      [record.v, record.id, record.type, content.actor, { ...record.target, id: content.targetId }, content.data],
      [2, event.id, event.type, event.actor, event.target, event.data],
    );
    assert.equal(record.body, sha(Buffer.from(canonical([content.salt, 'body', content]))).toString('base64'));
    assert.equal(new Date(record.at).toISOString(), event.at);
    assert.equal(address.ip, event.ip);
    assert.equal(content.ip, sha(Buffer.from(JSON.stringify([address.salt, 'ip', address.ip]))).toString('base64'));

    const [first, extra = '', place = '', ...rest] = tlogProof.split('\n');
    assert.equal(first, 'c2sp.org/tlog-proof@v1');
    const end = rest.indexOf('');
    const leaf = leafOf(sha(Buffer.from(extra.replace(/^extra /, ''), 'base64')));
    const opened = await openCheckpoint(rest.slice(end + 1).join('\n'));
    assert.deepEqual(inclusionRoot(Number(place.replace(/^index /, '')), opened.size, leaf, hashes(rest.slice(0, end))), opened.root);
  }
});

test('checkpoints that were kept are consistent with those that follow', async () => {
  const kept = [await fetchCheckpoint()];
  for (const more of [1, 30, 255, 300]) {
    await insert(more, stranger.id);
    await integrated();
    kept.push(await fetchCheckpoint());
  }
  for (const [i, from] of kept.entries()) {
    for (const to of kept.slice(i)) {
      const { status, body } = await read(`/consistency?from=${from.size}&to=${to.size}`);
      assert.equal(status, 200);
      const roots = consistencyRoots(from.size, to.size, hashes(body.consistencyPath), from.root);
      assert.deepEqual(roots, { old: from.root, next: to.root });
      assert.deepEqual([body.fromRootHash, body.toRootHash], [from.root.toString('base64'), to.root.toString('base64')]);
    }
  }
  const newest = kept.at(-1);
  assert.equal((await read(`/consistency?from=0`)).body.to, newest?.size);
  for (const wrong of [`from=${(newest?.size ?? 0) + 1}`, `from=5&to=4`, `from=1&to=${(newest?.size ?? 0) + 1}`])
    assert.deepEqual([(await read(`/consistency?${wrong}`)).body.code, wrong], ['tree_size_out_of_range', wrong]);
  assert.equal((await read('/consistency?from=-1')).status, 400);
});

test('a partial tile stays after the tile has grown, and nothing beyond the checkpoint is served', async () => {
  const { size } = await fetchCheckpoint();
  const whole = await resource('0/000');
  for (const width of [1, 77, 255]) assert.deepEqual(await resource(`0/000.p/${width}`), whole.subarray(0, width * 32));
  const beyond = [
    `0/${String(Math.floor(size / 256)).padStart(3, '0')}`,
    `0/${String(Math.floor(size / 256)).padStart(3, '0')}.p/${(size % 256) + 1}`,
    '0/999',
    `1/000.p/${Math.floor(size / 256) + 1}`,
    '2/000.p/1',
    '63/000',
    '0/0',
    'entries/999',
    '0/000.p/256',
    '-1/000',
  ];
  for (const name of beyond) {
    const answer = await chancery.call('GET', `/tlog/tile/${name}`);
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], name);
  }
});

test('the checkpoint of the API is the public one, with the keys that verify it', async () => {
  const { status, body } = await read('/checkpoint');
  const { size, root, note } = await fetchCheckpoint();
  assert.equal(status, 200);
  assert.deepEqual(
    [body.origin, body.size, body.rootHash, body.checkpoint, body.cosignedBy],
    [origin, size, root.toString('base64'), note, []],
  );
  const [verifier] = await verifiers();
  assert.ok(body.verifierKeys[0].startsWith(`${origin}+${verifier?.id}+A`));
});

test('another team’s entry has no proof, and nothing public discloses an entry', async () => {
  const { body } = await read('?limit=1');
  const [event] = body.events;
  assert.equal((await read(`/${event.id}/proof`, stranger.owner)).status, 404);
  assert.equal((await read('/01999999-0000-7000-8000-000000000000/proof')).status, 404);
  assert.equal((await read('/x/proof')).status, 404);
  const { record, body: content } = (await read(`/${event.id}/proof`)).body;
  const { size } = await fetchCheckpoint();
  const all = Buffer.concat(await Promise.all([...names('entries', size), ...names('0', size)].map(({ name }) => resource(name))));
  for (const word of [record.id, content.salt, team.id])
    assert.ok(!all.includes(word) && !all.includes(Buffer.from(word.replaceAll('-', ''), 'hex')), word);
  for (const word of [record.type, content.data.name]) assert.ok(!all.includes(word), word);
  // Without its salt, an entry cannot be found even if all other members are known.
  const guess = { ...content, salt: '00000000-0000-4000-8000-000000000000' };
  const known = { ...record, body: sha(Buffer.from(canonical([guess.salt, 'body', guess]))).toString('base64') };
  assert.ok(all.includes(entryOf(record)) && !all.includes(entryOf(known)));
});

test('an entry has its proof soon after the act; until then the answer says to ask again', async () => {
  const folder = await chancery.folder(team.owner);
  const { body } = await read('?limit=1');
  assert.equal(body.events[0].target.id, folder.id);
  await eventually('a proof', async () => {
    const answer = await read(`/${body.events[0].id}/proof`);
    if (answer.status === 200) return true;
    assert.deepEqual([answer.status, answer.body.code, answer.headers.get('retry-after')], [409, 'entry_not_integrated', '1']);
    return false;
  });
});

test('proofs and checkpoints of the API need audit:read', async () => {
  const member = await chancery.user(team, { role: 'member' });
  for (const rest of ['/checkpoint', '/consistency?from=0', '/export', '/01999999-0000-7000-8000-000000000000/proof'])
    assert.equal((await read(rest, member)).body.code, 'insufficient_scope', rest);
});
