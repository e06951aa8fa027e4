import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { asking, type Asker } from '../../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { plainPdf } from '../../../../test/plain-pdf.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { Isolation } from '../../../platform/jobs/isolated-jobs.ts';
import { createDiskStorage } from '../../../platform/storage/disk.ts';
import { purgeDocuments } from '../jobs.ts';
import { previewJob } from './jobs.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;
let admin: User;

before(async () => {
  chancery = await startChancery();
  team = await chancery.team();
  [owner, member] = [await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
});
after(() => chancery.stop());

const { made, call } = asking(() => chancery);
const form = (bytes: Buffer | string, type: string, title = 'Previewed') => {
  const body = new FormData();
  body.set('title', title);
  body.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type }), 'file');
  return body;
};
const upload = async (bytes: Buffer | string, type = 'application/pdf'): Promise<string> =>
  (await made(owner, 'POST', `${documents}/`, form(bytes, type))).id;
const preview = (by: Asker, id: string, more = '', headers: Record<string, string> = {}) =>
  chancery.call('GET', `${documents}/${id}/preview${more}`, { token: by.token, headers });
const statusOf = async (id: string, version = 1) =>
  (await made(owner, 'GET', `${documents}/${id}/versions`)).find(({ number }: { number: number }) => number === version).preview;
const settled = (id: string, version = 1) =>
  eventually(`preview of version ${version}`, async () => (await statusOf(id, version)) !== 'pending');

describe('the preview of a document', () => {
  test('is an image of its first page, created after the upload, one for each version, and not sent again if unchanged', async () => {
    const id = await upload(plainPdf(['one', 'two']));
    await settled(id);
    assert.equal(await statusOf(id), 'ready');
    const sent = await preview(owner, id);
    assert.equal(sent.status, 200, sent.text);
    assert.deepEqual([sent.headers.get('content-type'), sent.headers.get('cache-control')], ['image/webp', 'private, no-cache']);
    const tag = sent.headers.get('etag') ?? '';
    assert.equal((await preview(owner, id, '', { 'if-none-match': tag })).status, 304);

    const { status } = await call(owner, 'POST', `${documents}/${id}/versions`, form(plainPdf(['another one']), 'application/pdf'));
    assert.equal(status, 201);
    await settled(id, 2);
    assert.notEqual((await preview(owner, id)).headers.get('etag'), tag);
    assert.equal((await preview(owner, id, '?version=1')).headers.get('etag'), tag);
    assert.equal((await preview(owner, id, '?version=3')).status, 404);
  });

  test('does not exist for locked, broken and other files, and the error says so', async () => {
    const broken = await upload('%PDF-1.7 and nothing');
    const text = await upload('plain', 'text/plain');
    const word = await upload('PK', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document');
    const empty = (await made(owner, 'POST', `${documents}/`, { title: 'No file' })).id;
    await settled(broken);
    const answers = await Promise.all([broken, text, word, empty].map((id) => preview(owner, id)));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.code]),
      [
        [422, 'preview_failed'],
        [422, 'no_preview'],
        [422, 'no_preview'],
        [404, 'document_has_no_file'],
      ],
    );
    assert.deepEqual([await statusOf(broken), await statusOf(text)], ['failed', undefined]);
  });

  test('is for users who may open the version; the journal records a read by role alone', async () => {
    const id = await upload(plainPdf(['kept apart']));
    await settled(id);
    assert.equal((await preview(member, id)).status, 404);
    await made(owner, 'POST', `${documents}/${id}/access`, { userId: member.id, access: 'read' });
    assert.equal((await preview(member, id)).status, 200);
    assert.equal((await preview(admin, id)).status, 200);
    const { rows } = await chancery.pool.query(
      "SELECT actor_id, data->>'via' AS via FROM audit_entry WHERE target_id = $1 AND type = 'document.content_read'",
      [id],
    );
    assert.deepEqual(rows, [{ actor_id: admin.id, via: 'role' }]);

    // The access by a task ends with the task.
    const other = await upload(plainPdf(['decided on']));
    const task = await made(owner, 'POST', '/api/v1/tasks', { title: 'Look', documentId: other, assignedTo: member.id });
    await settled(other);
    assert.equal((await preview(member, other)).status, 200);
    await made(member, 'POST', `/api/v1/tasks/${task.id}/complete`, {});
    assert.equal((await preview(member, other)).status, 404);
  });

  test('is created once by any number of attempts and nodes; until then the response is 409 pending', async () => {
    const id = await upload(plainPdf(['raced']));
    await settled(id);
    const { rows } = await chancery.pool.query('DELETE FROM document_preview_file WHERE document_id = $1 RETURNING storage_key, team_id', [
      id,
    ]);
    await chancery.pool.query("UPDATE document_preview SET status = 'pending' WHERE document_id = $1", [id]);
    const pending = await preview(owner, id);
    assert.deepEqual([pending.status, pending.body.code, pending.headers.get('retry-after')], [409, 'preview_pending', '2']);

    const folder = join(chancery.config.DATA_DIR, 'files');
    const storage = await createDiskStorage({ folder });
    await storage.remove(rows[0].storage_key);
    const files = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile()).length;
    // Previews of the other tests may still be in progress: each of them is a file too.
    const others = "SELECT FROM document_preview WHERE status = 'pending' AND document_id <> $1";
    await eventually('the other previews', async () => (await chancery.pool.query(others, [id])).rowCount === 0);
    const kept = await files();
    const one = { id: 'x', team: rows[0].team_id, attempt: 1, signal: new AbortController().signal };
    const data = { team: rows[0].team_id, document: id, version: 1 };
    await Promise.all(Array.from({ length: 5 }, () => previewJob.run({ database: chancery.database, storage }, data, one)));
    assert.equal((await preview(owner, id)).status, 200);
    assert.equal(await files(), kept + 1);

    // It is deleted permanently with its version.
    assert.equal((await call(owner, 'DELETE', `${documents}/${id}`)).status, 204);
    assert.equal((await preview(owner, id)).status, 404);
    const metrics = { failed: () => undefined, setAside: () => undefined };
    const isolation = new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
    await purgeDocuments({ database: chancery.database, storage, isolation }, new Date(Date.now() + 31 * 86_400_000));
    assert.equal(await files(), kept - 1);
  });

  test('and the text of a document are created while slow documents of another team occupy their slots', async () => {
    const slow = (await chancery.team()).owner;
    // Results of the slow team’s documents are stored only after this lock is released.
    await chancery.pool.query(`
      CREATE FUNCTION keep_slowly() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
        IF NEW.team_id = '${slow.team}' THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
        RETURN NEW;
      END$$;
      CREATE TRIGGER keep_slowly BEFORE UPDATE ON document_preview FOR EACH ROW EXECUTE FUNCTION keep_slowly();
      CREATE TRIGGER keep_slowly BEFORE UPDATE ON document_text FOR EACH ROW EXECUTE FUNCTION keep_slowly()`);
    const lock = await chancery.pool.connect();
    try {
      await lock.query('SELECT pg_advisory_lock(4711)');
      for (const title of ['1', '2', '3', '4'])
        await made(slow, 'POST', `${documents}/`, form(plainPdf([title]), 'application/pdf', title));
      const statesOf = async (teamId: string) =>
        (
          await chancery.pool.query(
            `SELECT count(*) FILTER (WHERE state = 'running' AND name = 'document-preview')::int AS previews,
               count(*) FILTER (WHERE state = 'running' AND name = 'document-text')::int AS texts
             FROM job WHERE team_id = $1 AND name IN ('document-preview', 'document-text')`,
            [teamId],
          )
        ).rows[0];
      await eventually('slow documents are read', async () => {
        const { previews, texts } = await statesOf(slow.team);
        return previews > 0 && texts > 0;
      });
      const id = await upload(plainPdf(['quickly found']));
      await settled(id);
      assert.equal(await statusOf(id), 'ready');
      await eventually('its text is found', async () => (await made(owner, 'GET', `${documents}/search?q=quickly`)).length > 0);
      const pending = "SELECT FROM document_preview WHERE team_id = $1 AND status = 'pending'";
      assert.equal((await chancery.pool.query(pending, [slow.team])).rowCount, 4, 'no slow document was completed before');
    } finally {
      await lock.query('SELECT pg_advisory_unlock(4711)');
      lock.release();
    }
  });
});
