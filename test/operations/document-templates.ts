import { rows, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';
import { smallTemplate } from './small-template.ts';

/* Access rows and actions of document templates for the walks. */

const templates = '/api/v1/document-templates';

const data = { name: 'Walked' };

const whoReads = 'y y y y y · 404 y 404 y y y';
const whoUses = 'y y y y y · 404 403 403 y y 403';
const whoWrites = 'y y y y 403 · 404 403 403 y y 403';
const whoManages = 'y y y 403 403 · 404 403 403 y 403 403';
const whoShares = 'y y y 403 403 · 404 403 403 403 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const documentTemplateAccess = {
  ...rows(templates, {
    'GET /': thing('documentTemplate', 's s s s s · u s u s s s'),
    'POST /': thing('documentTemplate', 'y y y · · · y 403 403 y 403 403', () => smallTemplate()),
    'GET /library': thing('documentTemplate', 'y y y · · · y y y y y y'),
    'POST /library/{slug}': thing('documentTemplate', 'y y y · · · y 403 403 y 403 403'),
    'GET /{id}': thing('documentTemplate', whoReads),
    'PUT /{id}': thing('documentTemplate', whoWrites, () => ({ description: 'New' })),
    'DELETE /{id}': thing('documentTemplate', whoManages),
    'GET /{id}/versions': thing('documentTemplate', whoReads),
    'GET /{id}/versions/{version}': thing('documentTemplate', whoReads),
    'GET /{id}/access': thing('documentTemplate', 'y y y 403 403 · 404 403 404 y 403 403'),
    'POST /{id}/access': thing('documentTemplate', whoShares, ({ people }) => ({ userId: people.member.id, access: 'read' })),
    'DELETE /{id}/access/{grantId}': thing('documentTemplate', whoShares),
    'POST /{id}/preview': thing('documentTemplate', whoUses, () => ({ data })),
    'POST /{id}/documents': thing('documentTemplate', whoUses, () => ({ data })),
  }),
  ...rows('/api/v1/smartdoc/documents', { 'GET /{id}/template': thing('madeDocument', 'y y y 404 404 · 404 404 404 y 404 404') }),
};

const small = (world: ActWorld) => world.made('POST', `${templates}/`, smallTemplate());

/** The journal entries of each operation that changes something, and its call. */
export const documentTemplateActs: Acts = {
  [`POST ${templates}/`]: alone('POST', `${templates}/`, smallTemplate(), 'document_template.created'),
  [`POST ${templates}/library/{slug}`]: alone('POST', `${templates}/library/invoice`, undefined, 'document_template.created'),
  [`PUT ${templates}/{id}`]: on(small, 'PUT', ({ id }) => `${templates}/${id}`, { description: 'New' }, 'document_template.updated'),
  [`DELETE ${templates}/{id}`]: on(small, 'DELETE', ({ id }) => `${templates}/${id}`, undefined, 'document_template.deleted'),
  [`POST ${templates}/{id}/access`]: on(
    small,
    'POST',
    ({ id }) => `${templates}/${id}/access`,
    ({ member }: ActWorld) => ({ userId: member.id, access: 'read' }),
    'document_template.shared',
  ),
  [`DELETE ${templates}/{id}/access/{grantId}`]: {
    entries: ['document_template.unshared'],
    async prepare(world) {
      const { id } = await small(world);
      const grant = await world.made('POST', `${templates}/${id}/access`, { userId: world.member.id, access: 'read' });
      return () => world.send('DELETE', `${templates}/${id}/access/${grant.id}`);
    },
  },
  // A preview stores nothing.
  [`POST ${templates}/{id}/preview`]: on(small, 'POST', ({ id }) => `${templates}/${id}/preview`, { data }),
  [`POST ${templates}/{id}/documents`]: on(
    small,
    'POST',
    ({ id }) => `${templates}/${id}/documents`,
    { data },
    'document.created',
    'document.version_added',
    'document_template.used',
  ),
};
