import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { stopSignal } from './stop-signal.ts';

test(
  'a terminal that is closed asks to stop, as Ctrl-C does: an embedded database would go on without its service',
  { timeout: 60_000 },
  async () => {
    const stopRequested = stopSignal();
    process.emit('SIGHUP', 'SIGHUP');
    assert.equal(await stopRequested, 'SIGHUP');
  },
);
