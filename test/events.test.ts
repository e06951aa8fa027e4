import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultyEntries, faultyEvents } from './events.ts';
import { startChancery } from './harness.ts';

test('the end of a test file checks every recorded event against its schema, and fails for an event that does not fit', async () => {
  const chancery = await startChancery({ role: 'api' });
  const { owner } = await chancery.team();
  await chancery.folder(owner);
  assert.deepEqual(await faultyEvents(chancery.pool), []);
  const { rows } = await chancery.pool.query('SELECT id, body FROM event');
  const good = JSON.parse(rows[0].body);
  const inner = (data: object) => ({ ...good, data: { ...good.data, data } });
  const broken: [string, object, RegExp][] = [
    ['folder.created', inner({}), /name/],
    ['folder.created', inner({ name: 7 }), /must be string/],
    ['folder.created', inner({ name: 'A', content: 'secret' }), /additional properties/],
    ['folder.created', { ...good, extra: 1 }, /additional properties/],
    ['folder.created', { ...good, timestamp: 'today' }, /date-time/],
    ['folder.created', { ...good, type: 'folder.deleted' }, /constant/],
    ['folder.created', { ...good, id: 'evt_other' }, /another id/],
    ['folder.vanished', { ...good, type: 'folder.vanished' }, /not in the catalogue/],
  ];
  for (const [type, body, expected] of broken) {
    await chancery.pool.query('UPDATE event SET type = $2, body = $3 WHERE id = $1', [rows[0].id, type, Buffer.from(JSON.stringify(body))]);
    const [error] = await faultyEvents(chancery.pool);
    assert.match(error?.error ?? '', expected, JSON.stringify(body));
  }
  const entries: [string, object, RegExp][] = [
    ['folder.created', {}, /name/],
    ['folder.shared', { userId: owner.id, access: 'read', note: 'secret' }, /additional properties/],
    ['folder.vanished', {}, /no audit action/],
  ];
  for (const [type, data, expected] of entries) {
    await chancery.pool.query('UPDATE audit_entry SET type = $1, data = $2', [type, data]);
    const [error] = await faultyEntries(chancery.pool);
    assert.match(error?.error ?? '', expected, JSON.stringify(data));
  }
  await assert.rejects(chancery.stop(), /\d+ recorded events or entries do not fit the catalogue:\nfolder\.vanished/);
});
