import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { accessModelSource } from '../scripts/access-model.ts';
import { linkModules } from '../scripts/link-modules.ts';
import { startChancery, type User } from './harness.ts';
import { spawnService } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

/** The files of a domain with a shared resource type. The test also changes the model, the list of domains and package.json. */
const own = { 'index.ts': 'src/records/notes', 'queries.ts': 'src/records/notes', '0900_notes.sql': 'migrations' };

/** Copies the project and adds the domain. */
function withNotes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-notes-'));
  for (const part of [
    'packages',
    'console',
    'scripts',
    'src',
    'migrations',
    'package.json',
    'package-lock.json',
    'lib',
    'demo',
    'docs',
    'tsconfig.json',
  ])
    cpSync(part, join(folder, part), { recursive: true, filter: (name) => !/(?:dist|node_modules)$/.test(name) });
  linkModules(process.cwd(), folder);
  for (const [file, to] of Object.entries(own)) cpSync(join('test/fixtures/notes', file), join(folder, to, file));
  const change = (file: string, by: (text: string) => string) => writeFileSync(join(folder, file), by(readFileSync(file, 'utf8')));
  change(
    'src/domains.ts',
    (text) => `import { domain as notes } from '#notes';\n${text.replace('\n  publicPages,\n', '\n  publicPages,\n  notes,\n')}`,
  );
  change('package.json', (text) => text.replace('"imports": {', '$&\n    "#notes": "./src/records/notes/index.ts",'));
  const condition = /^condition /m;
  const block = readFileSync('test/fixtures/notes/model.fga', 'utf8');
  change('src/access/model.fga', (text) => text.replace(condition, `${block}\n$&`));
  // Writes the same file as `npm run generate`.
  writeFileSync(join(folder, 'src/access/model.ts'), accessModelSource(readFileSync(join(folder, 'src/access/model.fga'), 'utf8')));
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: folder });
  return folder;
}

test('a shared resource type needs a folder, a migration, a block of the model and two lines', async (t) => {
  const chancery = await startChancery({ role: 'api' });
  const folder = withNotes();
  const before = process.cwd();
  t.after(async () => {
    process.chdir(before);
    await chancery.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const team = await chancery.team();
  const { owner } = team;
  const [author, reader, editor, stranger, viewer] = [
    await chancery.user(team),
    await chancery.user(team),
    await chancery.user(team),
    await chancery.user(team),
    await chancery.user(team, { role: 'viewer' }),
  ];

  process.chdir(folder);
  const { DATA_DIR, BASE_URL } = chancery.config;
  const settings = { DATABASE_URL: chancery.databaseUrl, MASTER_KEY: chancery.masterKey, DATA_DIR, BASE_URL };
  const toy = await spawnService(settings);
  process.chdir(before);
  const call = async (by: User, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${by.token}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${toy.url}/api/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const list = async (by: User): Promise<{ words?: number; access: string }[]> => {
    const { status, body } = await call(by, 'GET', 'notes/');
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const seen = async (by: User) => (await list(by)).map(({ access }) => access);
  try {
    const made = await call(author, 'POST', 'notes/', { text: 'three words here' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const note = `notes/${made.body.id}`;
    await eventually('the word count of the job', async () => (await list(author))[0]?.words === 3);

    const share = (by: User, body: object) => call(by, 'POST', `${note}/access`, body);
    assert.equal((await share(author, { userId: reader.id, access: 'read' })).status, 201);
    const { body: group } = await call(owner, 'POST', 'groups/', { name: 'Editors' });
    for (const { id: userId } of [editor, viewer]) await call(owner, 'POST', `groups/${group.id}/members`, { userId });
    const grant = await share(author, { groupId: group.id, access: 'write' });
    assert.equal(grant.status, 201, JSON.stringify(grant.body));
    assert.deepEqual(
      [await seen(author), await seen(owner), await seen(reader), await seen(editor), await seen(viewer), await seen(stranger)],
      [['manage'], ['manage'], ['read'], ['write'], ['read'], []],
    );
    const statuses = async (method: string, path: string, body?: object) =>
      Promise.all([reader, editor, viewer, stranger].map(async (by) => (await call(by, method, path, body)).status));
    assert.deepEqual(await statuses('PUT', note, { text: 'Changed' }), [403, 200, 403, 404]);
    assert.deepEqual(await statuses('POST', `${note}/access`, { team: true, access: 'read' }), [403, 403, 403, 404]);
    assert.deepEqual(await statuses('GET', `${note}/access`), [403, 403, 403, 404]);
    const { grants } = (await call(author, 'GET', `${note}/access`)).body;
    assert.deepEqual(
      grants.map(({ userId, groupId, access, reason }: Record<string, string>) => [userId ?? groupId, access, reason]),
      [
        [author.id, 'write', 'owner'],
        [reader.id, 'read', 'share'],
        [group.id, 'write', 'share'],
        [owner.id, 'write', 'role'],
      ],
    );

    assert.equal((await call(owner, 'DELETE', `team/members/${author.id}?successorId=${reader.id}`)).status, 204);
    assert.deepEqual(
      [await seen(reader), await seen(editor)],
      [['manage'], ['write']],
      'the successor owns the note, and its shares remain',
    );
    assert.equal((await call(reader, 'DELETE', `${note}/access/${grant.body.id}`)).status, 204);
    assert.deepEqual(await seen(editor), []);
    const { rows } = await chancery.pool.query("SELECT type FROM audit_entry WHERE team_id = $1 AND type LIKE 'note.%' ORDER BY id", [
      team.id,
    ]);
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['note.created', 'note.shared', 'note.shared', 'note.handed_over', 'note.unshared'],
    );
  } finally {
    await toy.stop();
    await chancery.pool.query("DELETE FROM event WHERE type LIKE 'note.%'");
    await chancery.pool.query("DELETE FROM audit_entry WHERE type LIKE 'note.%'");
  }
});
