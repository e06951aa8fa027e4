import { requireUnused, templateChanged, type TemplateUses } from '#workflows';
import { randomUUIDv7 } from 'node:crypto';
import { audienceOf, grantToCreator } from '#access';
import { ownerForActor } from '#folders';
import type { ListPage } from '../../platform/database/json-page.ts';
import type { ChangePage } from '../../platform/database/sorted-page.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { lockedTemplate, manageableTemplate, type AccessibleTemplate, readableTemplate, writableTemplate } from './access.ts';
import { templateCreated, templateDeleted, templateUpdated } from './events.ts';
import { type Files, readFiles } from './files.ts';
import { presentTemplate } from './present.ts';
import * as queries from './queries.ts';
import { type CreateTemplate, most, type Template, type UpdateTemplate } from './schemas.ts';
import type { DocumentRenderer } from './setting.ts';

/** Maximum versions of a template. */
const maxVersions = 200;

/** Returns a page of the templates that the actor may see, as JSON text from the database. */
export function listTemplates(scope: ReadScope, { sort, ...page }: ChangePage): Promise<ListPage | undefined> {
  return scope.db.first(queries.listTemplates[sort], { team: scope.team, ...audienceOf(scope.actor, 'template'), ...page });
}

export const shown = ({ template, access }: AccessibleTemplate): Versioned<Template> => ({
  value: presentTemplate(template, access),
  version: template.version,
});

/** The content of a template after its test, before it is stored. */
export type Draft = {
  name: string;
  description: string | null;
  source: string;
  schema: Record<string, unknown>;
  /** The signers of its signature fields; null if unknown. */
  signers: string[] | null;
  slug?: string;
} & Files;

/** Validates and tests the content of a new template. Errors: 400, 422 `document_template_invalid`, `document_limit_exceeded`, 429. */
export async function draftTemplate(setting: DocumentRenderer, scope: ReadScope, input: CreateTemplate): Promise<Draft> {
  const draft = {
    name: cleanName(input.name),
    description: input.description ?? null,
    source: input.source,
    schema: input.schema,
    ...readFiles(input.files ?? [], []),
  };
  return { ...draft, signers: await tryOut(setting, scope, draft) };
}

async function tryOut(
  setting: DocumentRenderer,
  { team }: Pick<ReadScope, 'team'>,
  draft: Omit<Draft, 'signers'>,
  kept: Record<string, Uint8Array> = {},
): Promise<string[]> {
  const { source, schema, files, added } = draft;
  refuseTooLarge('source', source, most.source);
  refuseTooLarge('schema', JSON.stringify(schema), most.schema);
  const bytes = new Map<string, Uint8Array>([...Object.entries(kept), ...added.map((file) => [file.path, file.content] as const)]);
  const pictures = Object.fromEntries(files.map(({ path }) => [path, bytes.get(path) ?? new Uint8Array()]));
  return setting.trial(team, { source, schema, pictures });
}

/** Errors: 400. */
export function refuseTooLarge(member: string, text: string, bytes: number): void {
  if (Buffer.byteLength(text) <= bytes) return;
  const reason = `must have at most ${bytes / 1024} KiB`;
  throw problems.validation_failed(`\`${member}\` ${reason}.`, { errors: [{ name: member, pointer: `/${member}`, reason, rule: 'size' }] });
}

/** Stores a tested template. It belongs to the person who created it, or to the team’s owner for an API client. */
export async function createTemplate(scope: Scope, draft: Draft): Promise<Versioned<Template>> {
  if (scope.actor.type === 'system') throw new Error('a template needs a creator');
  const { team, now: at } = scope;
  const { name, description, slug } = draft;
  const id = randomUUIDv7();
  const { id: by, type: byType } = scope.actor;
  const user = await ownerForActor(scope);
  scope.db.send(queries.insertTemplate, { team, id, name, description, slug: slug ?? null, user, by, byType, at });
  grantToCreator(scope, 'template', id, ['manager']);
  keepVersion(scope, id, 1, draft);
  await record(scope, templateCreated, id, { name, version: 1, ...(slug === undefined ? {} : { librarySlug: slug }) });
  return shown(await readableTemplate(scope, id));
}

function keepVersion(scope: Scope, template: string, number: number, { source, schema, files, added, signers }: Draft): void {
  if (scope.actor.type === 'system') throw new Error('a version needs a creator');
  const { team, now: at } = scope;
  const { id: by, type: byType } = scope.actor;
  for (const { sha256, size, content } of added) scope.db.send(queries.insertFile, { team, template, sha256, size, content });
  const texts = {
    schema: JSON.stringify(schema),
    files: JSON.stringify(files.map(({ path, mediaType, size, sha256 }) => ({ path, mediaType, size, sha256 }))),
  };
  scope.db.send(queries.insertVersion, { team, template, number, source, ...texts, signers, by, byType, at });
  if (number <= maxVersions) return;
  scope.db.send(queries.dropVersions, { team, template, upTo: number - maxVersions });
  scope.db.send(queries.dropFiles, { team, template });
}

/** A tested change: the new content, the changed members, and the version of the template before it. */
export type Change = { draft: Draft; members: string[]; of: number };

/** Validates a change, and tests the new content if the source, schema or files change. Errors: 403, 404, 412, and as `draftTemplate`. */
export async function draftChange(
  setting: DocumentRenderer,
  scope: ReadScope,
  id: string,
  input: UpdateTemplate,
  expect: VersionCheck,
): Promise<Change> {
  const { template } = await writableTemplate(scope, id, expect);
  const draft: Draft = {
    name: input.name === undefined ? template.name : cleanName(input.name),
    description: input.description === undefined ? template.description : input.description,
    source: input.source ?? template.source,
    schema: input.schema ?? template.schema,
    signers: template.signers,
    ...(input.files === undefined ? { files: template.files, added: [] } : readFiles(input.files, template.files)),
  };
  const members = (['name', 'description', 'source', 'schema', 'files'] as const).filter(
    (member) => !same(draft[member], template[member]),
  );
  if (members.some(ofContent)) draft.signers = await tryOut(setting, scope, draft, await picturesOf(scope, template));
  return { draft, members, of: template.version };
}

const ofContent = (member: string) => ['source', 'schema', 'files'].includes(member);

/** Whether two JSON values are equal, regardless of the order of members. The database does not preserve that order. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}
const sorted = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== 'content')
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
    : value;

/** Reads the pictures of a version by path. */
export async function picturesOf(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  { id, files }: { id: string; files: readonly queries.KeptFile[] },
): Promise<Record<string, Uint8Array>> {
  if (files.length === 0) return {};
  const rows = await db.all(queries.readFiles, { team, template: id, hashes: files.map(({ sha256 }) => sha256) });
  const bytes = new Map(rows.map(({ sha256, content }) => [sha256, content]));
  return Object.fromEntries(files.flatMap(({ path, sha256 }) => (bytes.has(sha256) ? [[path, bytes.get(sha256) as Uint8Array]] : [])));
}

/** Stores a change of a template after a test of the change. Errors: 403, 404, 409 `conflict` if the template changed during the test, 412. */
export async function updateTemplate(
  scope: Scope,
  id: string,
  { draft, members, of }: Change,
  { expect, uses }: { expect: VersionCheck; uses: TemplateUses },
): Promise<Versioned<Template>> {
  const { template, access } = await lockedTemplate(scope, id, expect);
  if (template.version !== of)
    throw problems.conflict('Another change was stored during the test of this one. Read the template and send your change again.');
  const number = template.number + (members.some(ofContent) ? 1 : 0);
  const { name, description } = draft;
  if (number > template.number) {
    keepVersion(scope, template.id, number, draft);
    await templateChanged(uses, scope, { kind: 'document', id: template.id, name });
  }
  scope.db.send(queries.updateTemplate, { team: scope.team, id: template.id, name, description, number, at: scope.now });
  await record(scope, templateUpdated, template.id, { name, version: number, members, ...access.byRole('edit') });
  return shown(await readableTemplate(scope, template.id));
}

/** Deletes a template with its versions. Documents created from it stay. Errors: 403, 404, 409 `template_in_use`, 412. */
export async function deleteTemplate(
  scope: Scope,
  id: string,
  { expect, uses, force = false }: { expect: VersionCheck; uses: TemplateUses; force?: boolean | undefined },
): Promise<void> {
  const { template, access } = await manageableTemplate(scope, id, expect);
  await requireUnused(uses, scope, { kind: 'document', id: template.id, name: template.name }, force);
  await pipelined([
    () => scope.db.all(queries.deleteTemplate, { team: scope.team, id: template.id }),
    () => record(scope, templateDeleted, template.id, { name: template.name, version: template.number, ...access.byRole('manage') }),
  ]);
}
