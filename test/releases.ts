import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { restoreTarget, type RestoreTarget } from './backups.ts';
import { typedCommand } from './command-line.ts';
import { createTestDatabase, testPool } from './postgres.ts';

export const releaseFixtures = 'test/fixtures/releases';

/** A release whose database the tests upgrade. `commit` has its sources. */
export type Release = { version: string; commit: string; masterKey: string; baseUrl: string; team: string };

export const releases = (): Release[] =>
  readdirSync(releaseFixtures)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(releaseFixtures, name), 'utf8')) as Release);

/** Unpacks the backup of a release into a new folder. */
export function unpackBackup({ version }: Release): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-release-'));
  execFileSync('tar', ['--extract', '--file', join(releaseFixtures, `${version}.tar`), '--directory', folder]);
  return folder;
}

/** A restored database of a release, with the schema of the release. */
export type RestoredRelease = RestoreTarget & { pool: pg.Pool };

/** Restores the backup of a release into an empty database and data directory. */
export async function restoreRelease(release: Release): Promise<RestoredRelease> {
  const { masterKey, baseUrl } = release;
  const server = await createTestDatabase();
  const admin = testPool(server.url, 2);
  const target = await restoreTarget({ pool: admin, databaseUrl: server.url, masterKey, config: { BASE_URL: baseUrl, DATA_DIR: '' } });
  const folder = unpackBackup(release);
  const { code, stderr } = await typedCommand(['restore', folder], target.settings);
  rmSync(folder, { recursive: true });
  const pool = testPool(target.databaseUrl, 2);
  const drop = async () => {
    await pool.end();
    await target.drop();
    await admin.end();
    await server.drop();
  };
  if (code === 0) return { ...target, pool, drop };
  await drop();
  throw new Error(stderr);
}

/** Why the sources of a release are missing, or false. */
export function withoutSources({ commit }: Release): string | false {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return false;
  } catch {
    return `the clone does not have the commit ${commit} of the release`;
  }
}

/** Gives a release the installed libraries, and its own packages in place of those of this version. */
function linkLibraries(root: string): void {
  const folder = join(root, 'node_modules');
  mkdirSync(join(folder, '@chancery'), { recursive: true });
  for (const name of readdirSync('node_modules'))
    if (!['chancery', '@chancery'].includes(name)) symlinkSync(resolve('node_modules', name), join(folder, name));
  for (const name of readdirSync(join(root, 'packages'), { withFileTypes: true }).filter((one) => one.isDirectory()))
    symlinkSync(join('../../packages', name.name), join(folder, '@chancery', name.name));
}

/** Builds a release from its sources, with the installed libraries. Returns its folder. */
export function buildRelease({ version, commit }: Release): string {
  const root = resolve('.tmp/releases', `${version}-${commit.slice(0, 12)}`);
  if (existsSync(root)) return root;
  const partial = `${root}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1e9 });
  execFileSync('tar', ['--extract', '--directory', partial], { input: archive });
  linkLibraries(partial);
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: partial, stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(partial, root);
  return root;
}
