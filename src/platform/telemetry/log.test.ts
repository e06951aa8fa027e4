import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { test } from 'node:test';
import { causesOf } from '../errors.ts';

test('an error is logged with all its causes, without their values', () => {
  const script = `
    import { createLogger } from './src/platform/telemetry/log.ts';
    const inner = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', detail: 'hunter2secret' });
    const outer = new Error('not ready', { cause: new Error('no database', { cause: inner }) });
    createLogger('error').error({ err: outer }, 'failed');`;
  const line = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', script], { encoding: 'utf8' });
  const { err } = JSON.parse(line);
  assert.deepEqual(
    [err.message, ...err.causes.map(({ message, code }: any) => [message, code])],
    ['not ready', ['no database', undefined], ['connect ECONNREFUSED', 'ECONNREFUSED']],
  );
  assert.match(err.causes[1].stack, /ECONNREFUSED/);
  assert.ok(!line.includes('hunter2secret'));
});

test('circular causes are followed once', () => {
  const [first, second] = [new Error('first'), new Error('second')];
  first.cause = second;
  second.cause = first;
  assert.deepEqual(
    causesOf(first).map(({ message }) => message),
    ['first', 'second'],
  );
});
