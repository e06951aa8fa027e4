/**
 * Reads the API description with the rules of the public linter (`redocly.yaml`), where errors and warnings fail, and compares it
 * with that of the last release: what breaks a client fails unless the changelog names it (docs/reference/versioning.md).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { apiDescription } from './api-description.ts';
import { breakingChanges, unnamed } from './breaking-changes.ts';

/** Whether the public linter finds nothing. */
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

/** Whether whoever uses the last release can go on with this one, or is told in the changelog what changes for them. */
function keepsPromise(description: string): boolean {
  const breaks = breakingChanges(JSON.parse(readFileSync('openapi/released.json', 'utf8')), JSON.parse(description));
  const untold = unnamed(breaks, readFileSync('CHANGELOG.md', 'utf8'));
  for (const { place, what } of untold) process.stdout.write(`${place} ${what}\n`);
  if (untold.length > 0)
    process.stdout.write(
      'This breaks clients of the last release. Take it back, or name each place in the changelog: docs/reference/versioning.md\n',
    );
  return untold.length === 0;
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
