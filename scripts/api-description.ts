import { execFileSync } from 'node:child_process';
import process from 'node:process';

/** The API description, as the service publishes it with the default settings. */
export function apiDescription(): string {
  const { BASE_URL: _own, ...env } = process.env;
  return execFileSync(process.execPath, ['scripts/run-source.ts', 'openapi'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env });
}
