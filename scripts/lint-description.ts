/** Reads the API description with the rules of the public linter (`redocly.yaml`): errors and warnings fail. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const folder = mkdtempSync(join(tmpdir(), 'chancery-description-'));
const file = join(folder, 'openapi.json');
try {
  writeFileSync(file, execFileSync(process.execPath, ['src/main.ts', 'openapi'], { maxBuffer: 64 * 1024 * 1024 }));
  const { status, stdout, stderr } = spawnSync(
    'node_modules/.bin/redocly',
    ['lint', file, '--config=redocly.yaml', '--format=stylish', '--max-problems=50'],
    { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  const clean = status === 0 && !/\b(error|warning)s?\b/.test(stdout);
  if (!clean) process.stdout.write(`${stdout}${stderr}`);
  process.exitCode = clean ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
