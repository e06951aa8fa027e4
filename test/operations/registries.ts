import { randomUUIDv7 } from 'node:crypto';
import { rows, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows and actions of registries for the walks. */

const registries = '/api/v1/registries';
const fields = [{ id: 'name', type: 'text', label: 'Name' }];
const body = () => ({ name: `Registry ${randomUUIDv7()}`, fields });
const data = { name: 'Walked' };
const csvFile = () => {
  const form = new FormData();
  form.set('file', new Blob(['name\nWalked\n'], { type: 'text/csv' }), 'walked.csv');
  return form;
};

const whoManages = 'y y y 403 403 · 404 403 403 y 403 403';
const whoShares = 'y y y 403 403 · 404 403 403 403 403 403';
const whoReads = 'y y y y y · 404 y 404 y 403 403';
const whoWrites = 'y y y y 403 · 404 403 403 y 403 403';
const whoSees = 's s s s s · 404 s 404 s 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const registryAccess = rows(registries, {
  'GET /': thing('registry', 's s s s s · u s u s 403 403'),
  'POST /': thing('registry', 'y y y · · · y · 403 y 403 403', body),
  'GET /bin': thing('binnedRegistry', 's s s u u · u u u s 403 403'),
  'GET /{id}': thing('registry', whoReads),
  'PUT /{id}': thing('registry', whoManages, () => ({ description: 'New' })),
  'DELETE /{id}': thing('registry', whoManages),
  'POST /{id}/restore': thing('binnedRegistry', 'y y y 404 404 · 404 403 403 y 403 403'),
  'GET /{id}/access': thing('registry', 'y y y 403 403 · 404 403 404 y 403 403'),
  'POST /{id}/access': thing('registry', whoShares, ({ people }) => ({ userId: people.member.id, access: 'read' })),
  'DELETE /{id}/access/{grantId}': thing('registry', whoShares),
  'GET /{typeId}/records/': thing('registryRecord', whoSees),
  'POST /{typeId}/records/': thing('registryRecord', whoWrites, () => ({ data })),
  'POST /{typeId}/records/import': thing('registry', whoWrites, csvFile),
  'POST /{typeId}/records/import/preview': thing('registry', whoWrites, csvFile),
  'GET /{typeId}/records/export': thing('registryRecord', whoSees),
  'GET /{typeId}/imports/': thing('registryImport', 's s s s 404 · 404 404 404 s 403 403'),
  'GET /{typeId}/imports/{id}': thing('registryImport', 'y y y y 404 · 404 404 404 y 403 403'),
  'GET /{typeId}/records/{id}': thing('registryRecord', whoReads),
  'PUT /{typeId}/records/{id}': thing('registryRecord', whoWrites, () => ({ data: { name: 'New' } })),
  'PATCH /{typeId}/records/{id}': thing('registryRecord', whoWrites, () => ({ data: { name: 'New' } })),
  'DELETE /{typeId}/records/{id}': thing('registryRecord', whoWrites),
  'GET /{typeId}/records/{id} in the bin': thing('binnedRecord', 'y y y y 404 · 404 404 404 y 403 403'),
  'POST /{typeId}/records/{id}/restore': thing('binnedRecord', whoWrites),
  'POST /{typeId}/records/{id}/approve': thing('pendingRecord', whoWrites),
  'POST /{typeId}/records/{id}/decline': thing('pendingRecord', whoWrites),
  'GET /{typeId}/records/{id}/history': thing('registryRecord', whoReads),
  'POST /{typeId}/records/{id}/revert': thing('changedRecord', whoWrites, () => ({ version: 1 })),
});

const registry = (world: ActWorld) => world.made('POST', `${registries}/`, body());
const record = async (world: ActWorld) => {
  const { id } = await registry(world);
  const made = await world.made('POST', `${registries}/${id}/records`, { data });
  return { path: `${registries}/${id}/records/${made.id}`, id: made.id };
};
const binned = async (world: ActWorld) => {
  const made = await record(world);
  await world.made('DELETE', made.path);
  return made;
};
const pathOf = ({ path }: { path: string }) => path;
const pending = async (world: ActWorld) => {
  const made = await record(world);
  // Only a form can create a pending record, so set the state directly.
  await world.chancery.pool.query("UPDATE registry_record SET state = 'pending' WHERE id = $1", [made.id]);
  await world.chancery.pool.query("UPDATE registry_value SET state = 'pending' WHERE record_id = $1", [made.id]);
  return made;
};

/** The journal entries of each operation that changes something, and its call. */
export const registryActs: Acts = {
  [`POST ${registries}/`]: alone('POST', `${registries}/`, body(), 'registry.created'),
  [`PUT ${registries}/{id}`]: on(registry, 'PUT', ({ id }) => `${registries}/${id}`, { description: 'New' }, 'registry.updated'),
  [`DELETE ${registries}/{id}`]: on(registry, 'DELETE', ({ id }) => `${registries}/${id}`, undefined, 'registry.deleted'),
  [`POST ${registries}/{id}/restore`]: {
    entries: ['registry.restored'],
    async prepare(world) {
      const { id } = await registry(world);
      await world.made('DELETE', `${registries}/${id}`);
      return () => world.send('POST', `${registries}/${id}/restore`);
    },
  },
  [`POST ${registries}/{id}/access`]: on(
    registry,
    'POST',
    ({ id }) => `${registries}/${id}/access`,
    ({ member }: ActWorld) => ({ userId: member.id, access: 'read' }),
    'registry.shared',
  ),
  [`DELETE ${registries}/{id}/access/{grantId}`]: {
    entries: ['registry.unshared'],
    async prepare(world) {
      const { id } = await registry(world);
      const grant = await world.made('POST', `${registries}/${id}/access`, { userId: world.member.id, access: 'read' });
      return () => world.send('DELETE', `${registries}/${id}/access/${grant.id}`);
    },
  },
  [`POST ${registries}/{typeId}/records/`]: on(
    registry,
    'POST',
    ({ id }) => `${registries}/${id}/records`,
    { data },
    'registry.record.created',
  ),
  [`POST ${registries}/{typeId}/records/import`]: on(
    registry,
    'POST',
    ({ id }) => `${registries}/${id}/records/import`,
    csvFile,
    'registry.imported',
  ),
  [`POST ${registries}/{typeId}/records/import/preview`]: on(
    registry,
    'POST',
    ({ id }) => `${registries}/${id}/records/import/preview`,
    csvFile,
  ),
  [`GET ${registries}/{typeId}/records/export`]: on(
    registry,
    'GET',
    ({ id }) => `${registries}/${id}/records/export`,
    undefined,
    'registry.exported',
  ),
  [`PUT ${registries}/{typeId}/records/{id}`]: on(record, 'PUT', pathOf, { data: { name: 'New' } }, 'registry.record.updated'),
  [`PATCH ${registries}/{typeId}/records/{id}`]: on(record, 'PATCH', pathOf, { data: { name: 'New' } }, 'registry.record.updated'),
  [`DELETE ${registries}/{typeId}/records/{id}`]: on(record, 'DELETE', pathOf, undefined, 'registry.record.deleted'),
  [`POST ${registries}/{typeId}/records/{id}/restore`]: on(
    binned,
    'POST',
    ({ path }) => `${path}/restore`,
    undefined,
    'registry.record.restored',
  ),
  [`POST ${registries}/{typeId}/records/{id}/approve`]: on(
    pending,
    'POST',
    ({ path }) => `${path}/approve`,
    undefined,
    'registry.record.approved',
  ),
  [`POST ${registries}/{typeId}/records/{id}/decline`]: on(
    pending,
    'POST',
    ({ path }) => `${path}/decline`,
    undefined,
    'registry.record.declined',
  ),
  [`POST ${registries}/{typeId}/records/{id}/revert`]: {
    entries: ['registry.record.updated'],
    async prepare(world) {
      const { path } = await record(world);
      await world.made('PATCH', path, { data: { name: 'New' } });
      return () => world.send('POST', `${path}/revert`, { version: 1 });
    },
  },
};
