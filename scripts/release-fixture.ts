/**
 * `npm run release-fixture`: stores a database of this version in `test/fixtures/releases`. Tests upgrade it to later versions, so that its migrations
 * never change. It is a backup of a service with a resource of each kind, and of some 1 000 rows that fill lists.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { version } from '../src/platform/entry-points.ts';
import { untilSequenced, uploadDocument } from '../test/backups.ts';
import { settingsOf, typedCommand } from '../test/command-line.ts';
import { startChancery } from '../test/harness.ts';
import { startTestServer } from '../test/postgres.ts';
import { releaseFixtures } from '../test/releases.ts';
import { seedEverything } from '../test/seed.ts';

const server = await startTestServer({ logDays: true });
process.env.CHANCERY_TEST_SERVER = server.url;
const chancery = await startChancery({ withoutReading: true });
const folder = mkdtempSync(join(tmpdir(), 'chancery-fixture-'));
try {
  const { owner } = await chancery.team('Released');
  await seedEverything(chancery, owner);
  for (let count = 0; count < 150; count += 1) {
    const { id: folderId } = await chancery.folder(owner, { name: `Folder ${count}` });
    await chancery.document(owner, { title: `Document ${count}`, folderId });
    await uploadDocument(chancery, owner, `%PDF-1.7 ${count}`);
    const task = { title: `Task ${count}`, assignedTo: owner.id };
    await chancery.call('POST', '/api/v1/tasks/', { token: owner.token, body: task });
  }
  await untilSequenced(chancery);
  const { code, stderr } = await typedCommand(['backup', folder], settingsOf(chancery));
  if (code !== 0) throw new Error(stderr);
  mkdirSync(releaseFixtures, { recursive: true });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const { masterKey, config } = chancery;
  const description = { version, commit, masterKey, baseUrl: config.BASE_URL, team: owner.team };
  writeFileSync(join(releaseFixtures, `${version}.json`), `${JSON.stringify(description, null, 2)}\n`);
  execFileSync('tar', ['--create', '--sort=name', '--file', join(releaseFixtures, `${version}.tar`), '--directory', folder, '.']);
} finally {
  await chancery.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
}
process.exit();
