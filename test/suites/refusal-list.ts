import { appendFileSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** Refusals that tests have been answered with, `operation status code`: with NOTE_ANSWERS=on a test adds those that it meets. */
const file = new URL('answered.txt', import.meta.url);

export const answered = new Set(readFileSync(file, 'utf8').trimEnd().split('\n'));

/** Codes that follow from how a route is declared, or from how a request comes: the suites walk over all routes with these. */
export const ofRoutes: ReadonlySet<string> = new Set([
  'bad_request',
  'malformed_json',
  'validation_failed',
  'unauthenticated',
  'invalid_token',
  'forbidden',
  'person_required',
  'insufficient_scope',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'precondition_failed',
  'rate_limited',
]);

/** Notes by which code an operation has refused. */
export function noteRefusal(operation: string, status: number, code: string): void {
  const line = `${operation} ${status} ${code}`;
  if (process.env.NOTE_ANSWERS !== 'on' || ofRoutes.has(code) || answered.has(line)) return;
  answered.add(line);
  appendFileSync(file, `${line}\n`);
}
