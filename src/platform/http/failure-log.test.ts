import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import pino from 'pino';
import { problems } from '../problems.ts';
import { failureLog } from './failure-log.ts';

type Line = { msg: string; route?: string; code?: string; unwritten?: number; failure?: string };

function written(): { log: pino.Logger; lines: Line[] } {
  const lines: Line[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}
const fakeRequest = (log: pino.Logger, url: string) => ({ id: 'r', traceId: 't', routeOptions: { url }, log }) as unknown as FastifyRequest;
const busy = () => ({ error: problems.unavailable('The service is overloaded.'), status: 503, message: 'request failed' });

test('twenty failures of one kind are logged per minute, and the number of others; other kinds are logged separately', () => {
  const { log, lines } = written();
  const failures = failureLog(log);
  for (let n = 0; n < 5_000; n += 1) failures.note(fakeRequest(log, '/busy'), busy());
  failures.note(fakeRequest(log, '/other'), busy());
  failures.note(fakeRequest(log, '/busy'), { ...busy(), error: new Error('of its own') });
  assert.deepEqual(
    lines.slice(19).map(({ route, msg }) => [route, msg]),
    [
      ['/busy', 'request failed'],
      ['/other', 'request failed'],
      ['/busy', 'request failed'],
    ],
  );
  failures.end();
  assert.equal(lines.length, 23);
  const { failure, route, code, unwritten } = lines.at(-1) ?? {};
  assert.deepEqual(
    { failure, route, code, unwritten },
    { failure: 'request failed', route: '/busy', code: 'unavailable', unwritten: 4_980 },
  );
  failures.note(fakeRequest(log, '/busy'), busy());
  assert.equal(lines.at(-1)?.msg, 'request failed', 'the next minute starts a new count');
});

test('too many kinds are counted together and use no further memory', () => {
  const { log, lines } = written();
  const failures = failureLog(log);
  for (let n = 0; n < 2_000; n += 1) failures.note(fakeRequest(log, `/${n}`), busy());
  failures.end();
  assert.equal(lines.length, 500 + 20 + 1);
  assert.equal(lines.at(-1)?.unwritten, 1_480);
});

test('errors of the caller and interrupted connections are not logged', () => {
  const { log, lines } = written();
  const failures = failureLog(log);
  failures.note(fakeRequest(log, '/'), { ...busy(), status: 429 });
  failures.note(fakeRequest(log, '/'), { ...busy(), error: Object.assign(new Error('aborted'), { code: 'ECONNRESET' }) });
  failures.end();
  assert.deepEqual(lines, []);
});
