import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceFacts, settingsOf } from './command-line.ts';
import type { Chancery, User } from './harness.ts';
import { onDatabase } from './postgres.ts';
import { eventually } from './webhook-receiver.ts';

/** An empty database with an empty data directory, into which a backup of a service can be restored. */
export type RestoreTarget = { settings: Record<string, string>; databaseUrl: string; dataDir: string; drop(): Promise<void> };

/** Creates a target with the master key of a service. Its user owns the database and is no superuser, as in production. */
export async function restoreTarget(chancery: ServiceFacts & Pick<Chancery, 'pool'>): Promise<RestoreTarget> {
  const name = `r_${randomBytes(6).toString('hex')}`;
  await chancery.pool.query(`CREATE ROLE ${name} LOGIN; GRANT chancery_owner, chancery_app, chancery_system TO ${name}`);
  await chancery.pool.query(`CREATE DATABASE ${name} OWNER ${name}`);
  const url = new URL(onDatabase(chancery.databaseUrl, name));
  url.username = name;
  const databaseUrl = url.href;
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-restored-'));
  return {
    settings: { ...settingsOf(chancery), DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    databaseUrl,
    dataDir,
    async drop() {
      await chancery.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await chancery.pool.query(`DROP ROLE ${name}`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until a signed checkpoint has all entries of the journal. */
export async function untilSequenced(chancery: Chancery): Promise<void> {
  const sequenced = `SELECT FROM audit_log WHERE checkpoint IS NOT NULL AND NOT EXISTS (SELECT FROM audit_entry WHERE seq IS NULL)`;
  await eventually('a signed checkpoint of all entries', async () => (await chancery.pool.query(sequenced)).rowCount === 1);
}

/** Uploads a document and returns its identifier and the key of its file. */
export async function uploadDocument(chancery: Chancery, by: User, content = '%PDF-1.7'): Promise<{ id: string; key: string }> {
  const form = new FormData();
  form.set('title', 'Kept');
  form.set('file', new Blob([content]), 'kept.pdf');
  const { body } = await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: by.token, body: form });
  const { rows } = await chancery.pool.query('SELECT storage_key FROM document_version WHERE document_id = $1', [body.id]);
  return { id: body.id, key: rows[0].storage_key };
}
