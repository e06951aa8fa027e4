import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { stopSignal } from './stop-signal.ts';

test('a closed terminal stops the service, so that no embedded database keeps running', { timeout: 60_000 }, async () => {
  const stopRequested = stopSignal();
  process.emit('SIGHUP', 'SIGHUP');
  assert.equal(await stopRequested, 'SIGHUP');
});
