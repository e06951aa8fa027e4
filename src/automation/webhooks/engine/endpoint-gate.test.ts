import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointGate } from './endpoint-gate.ts';

const at = (n: number) => ({ teamId: `team${n % 2}`, endpointId: `endpoint${n}` });

test('a responding endpoint has capacity, more if it is quick, and none after a failure', () => {
  const gate = new EndpointGate(10);
  gate.note(at(0), { ok: true, latencyMs: 5 });
  gate.note(at(1), { ok: true, latencyMs: 900 });
  gate.note(at(2), { ok: true, latencyMs: 5 });
  gate.note(at(2), { ok: false, latencyMs: 5 });
  assert.deepEqual(gate.rooms().rooms, { endpoint0: 50, endpoint1: 10 });
  assert.deepEqual(gate.rooms(['team1']).rooms, { endpoint1: 10 }, 'for one team its own alone');
  assert.deepEqual([gate.isFailing('endpoint2'), gate.isFailing('endpoint0')], [true, false]);
});

test('a failed endpoint without later attempts counts as failing for ten minutes', async () => {
  const gate = new EndpointGate(10);
  for (let n = 0; n < 8; n += 1) gate.note(at(n), { ok: false, latencyMs: 5 });
  gate.note(at(0), { ok: true, latencyMs: 5 });
  assert.equal(gate.rooms().troubles, 7);
  const now = performance.now();
  const clock = mock.method(performance, 'now', () => now + 601_000);
  try {
    await sleep(10);
    assert.equal(gate.rooms().troubles, 0);
  } finally {
    clock.mock.restore();
  }
});

test('a team is throttled while five of its endpoints are failing, regardless of other teams', () => {
  const gate = new EndpointGate(10);
  for (let n = 0; n < 9; n += 1) gate.note(at(n), { ok: n > 6, latencyMs: 5 });
  assert.deepEqual(gate.rooms().throttledTeams, new Set());
  gate.note(at(8), { ok: true, unfinished: true, latencyMs: 5 });
  assert.deepEqual(gate.rooms().throttledTeams, new Set(['team0']));
  gate.note(at(0), { ok: true, latencyMs: 5 });
  assert.deepEqual(gate.rooms(['team1']).throttledTeams, new Set());
});

test('an endpoint whose response never ends gets one delivery at a time and counts as failing, and its waiting deliveries are released', async () => {
  const gate = new EndpointGate(2);
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const entered = Array.from({ length: 5 }, () => gate.enter('endpoint1', work));
  assert.equal(ends.length, 2);
  gate.note(at(1), { ok: true, unfinished: true, latencyMs: 5 });
  assert.deepEqual(await Promise.all(entered.slice(2)), [false, false, false], 'not run');
  for (const end of ends) end();
  assert.deepEqual(await Promise.all(entered.slice(0, 2)), [true, true]);
  assert.deepEqual(gate.rooms(), { rooms: { endpoint1: 0 }, untriedInFlight: 0, troubles: 1, throttledTeams: new Set() });
  gate.note(at(1), { ok: true, latencyMs: 5 });
  assert.deepEqual([gate.rooms().rooms, gate.isFailing('endpoint1')], [{ endpoint1: 10 }, false]);
});
