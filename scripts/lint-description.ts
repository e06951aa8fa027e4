/**
 * Checks the API description with Redocly (`redocly.yaml`); warnings fail too. Also compares it with the description of the last
 * release. A breaking change fails unless the changelog names it (docs/reference/versioning.md).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { apiDescription } from './api-description.ts';
import { breakingChanges, unnamed } from './breaking-changes.ts';

/** Whether Redocly reports no problem. */
function isClean(file: string): boolean {
  const { status, stdout, stderr } = spawnSync(
    'node_modules/.bin/redocly',
    ['lint', file, '--config=redocly.yaml', '--format=stylish', '--max-problems=50'],
    { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  const clean = status === 0 && !/\b(error|warning)s?\b/.test(stdout);
  if (!clean) process.stdout.write(`${stdout}${stderr}`);
  return clean;
}

/** Whether the changelog names all breaking changes since the last release. */
function keepsPromise(description: string): boolean {
  const breaks = breakingChanges(JSON.parse(readFileSync('openapi/released.json', 'utf8')), JSON.parse(description));
  const unmentioned = unnamed(breaks, readFileSync('CHANGELOG.md', 'utf8'));
  for (const { place, what } of unmentioned) process.stdout.write(`${place} ${what}\n`);
  if (unmentioned.length > 0)
    process.stdout.write(
      'This breaks clients of the last release. Revert the change, or name each place in the changelog: docs/reference/versioning.md\n',
    );
  return unmentioned.length === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'chancery-description-'));
const file = join(folder, 'openapi.json');
try {
  const description = apiDescription();
  writeFileSync(file, description);
  const [clean, kept] = [isClean(file), keepsPromise(description)];
  process.exitCode = clean && kept ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
