import { isDeepStrictEqual } from 'node:util';
import { isBehindBarrier } from '#access';
import { bookingProblems, setAccepting } from '#bookings';
import { refuseLeavingHold } from '#folders';
import { record, recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { editableInterface, lockedInterface, lockedWithTrees } from './access.ts';
import { bindRegistries, registriesNamedBy } from './bindings.ts';
import { requireCompleteDefinition } from './definition.ts';
import { interfaceClosed, interfacePublished, linkRotated } from './events.ts';
import { type Interfaces, linksOf, putLink } from './links.ts';
import { interfaceProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Channel, LinkedInterface, LinkList, ManagedInterface, Publish } from './schemas.ts';
import { draftChanged, getInterface } from './service.ts';
import {
  checkRecords,
  checkTargets,
  holdDocumentTemplates,
  holdWorkflowTemplates,
  refuseWarnings,
  type TemplatesPort,
} from './outputs/index.ts';
import { givenBy } from './template.ts';
import { grantUses, lockNamedMembers, maySetUses, refuseLeavingBarrier, requireTemplate } from './submission-actions.ts';
import { holdsScope } from './policy.ts';
import { problems } from '../../platform/problems.ts';

/** The dependencies of publication. */
export type Publishing = Interfaces & { templates: TemplatesPort };

/**
 * Publishes the draft as an immutable version and returns the links, which stay the same for later versions. Publishing the same
 * revision again creates a version only if a template that it names has changed. Throws 403, 404, 409 `draft_changed`, `legal_hold_active`, 412, 422 `interface_invalid`.
 */
export async function publishInterface(
  interfaces: Publishing,
  scope: Scope,
  id: string,
  { input: { revision, supersede = 'later', strict = false }, expect }: { input: Publish; expect: VersionCheck },
): Promise<Versioned<LinkedInterface>> {
  const { actor, team, now: at } = scope;
  // The draft read before the lock determines which locks are needed. The revision check detects a later change.
  const seen = await editableInterface(scope, id);
  if (revision !== seen.row.revision) throw draftChanged(seen.row.revision);
  // Values are validated in another process, so this comes before the locks.
  const outputs = await checkTargets(() => interfaces.templates.templates, scope, { definition: seen.row.draft, strict });
  await holdWorkflowTemplates(scope, seen.row.draft.config);
  const namedMembers = await lockNamedMembers(scope, seen.row.draft.config);
  const named = registriesNamedBy({ type: seen.row.type, definition: seen.row.draft });
  const { row, access, registries } = await lockedWithTrees(scope, id, named);
  expect(row.version);
  if (revision !== row.revision) throw draftChanged(row.revision);
  await holdDocumentTemplates(() => interfaces.templates.templates, scope, row.draft.config);
  if (actor.type === 'system') throw problems.forbidden('Publishing needs a user, a client or an agent.');
  const warnings = [...(await requireCompleteDefinition(row.type, row.draft, team)), ...outputs.warnings];
  if (row.type === 'scheduling' && row.calendar === null)
    throw bookingProblems.calendar_missing('A booking form needs a calendar. Add one before you publish the form.');
  const last = await scope.db.first(queries.lastVersion, { team, id: row.id });
  const { config } = row.draft;
  const { place, changed } = await grantUses(scope, { access, row, namedMembers }, last?.config ?? 'none', config);
  if (config.startsTemplate !== undefined) await requireTemplate(scope, config.startsTemplate);
  await refuseLeavingBarrier(scope, row, place);
  // Answers stay under the hold of their folder, like everything else in it.
  if (row.published_version !== null) await refuseLeavingHold(scope, row.folder_id, place.parent);
  const bindings = await bindRegistries(scope, registries, last, { type: row.type, definition: row.draft });
  const ofRecords = checkRecords(registries, row.draft);
  if (strict) refuseWarnings(ofRecords);
  warnings.push(...ofRecords);
  const given = await givenBy(scope, last, { by: actor.id, changed, mayGive: maySetUses(access), config, outputs: outputs.states });
  const isPublished = row.status === 'published' && row.published_revision === revision;
  if (isPublished && last?.template_hash === given.templateHash && isDeepStrictEqual(last.outputs, given.outputs))
    return linked(interfaces, scope, row.id, warnings);
  const number = (last?.number ?? 0) + 1;
  const version = {
    number,
    definition: JSON.stringify(row.draft),
    revision,
    supersede,
    by: actor.id,
    byType: actor.type,
    usesBy: given.usesBy,
    templateHash: given.templateHash,
    outputs: JSON.stringify(given.outputs),
    bindings: JSON.stringify(bindings),
  };
  scope.db.send(queries.insertVersion, { team, id: row.id, ...version, at });
  scope.db.send(queries.publish, { team, id: row.id, number, folder: place.parent, retainDays: config.retainDays ?? null, at });
  await setAccepting(scope, row.id, true);
  if (number === 1) openLinks(interfaces, scope, row.id);
  const said = { title: row.title, kind: row.type, version: number };
  await record(scope, interfacePublished, row.id, said, isBehindBarrier(row.barrier_id, place.barrier_id));
  return linked(interfaces, scope, row.id, warnings);
}

/** Creates the links of a form that is published for the first time, and begins to count its submissions. */
function openLinks(interfaces: Interfaces, scope: Scope, id: string): void {
  scope.db.send(queries.beginCount, { team: scope.team, id });
  for (const channel of ['public', 'api'] as const) putLink(interfaces, scope, id, channel);
}

/** Closes a form. Visitors keep access to their submissions. Throws 403, 404, 409 `interface_not_published`, 412. */
export async function closeInterface(scope: Scope, id: string, expect: VersionCheck): Promise<Versioned<ManagedInterface>> {
  const { row } = await lockedInterface(scope, id);
  expect(row.version);
  const [closed] = await scope.db.all(queries.setStatus, { team: scope.team, id: row.id, from: 'published', to: 'closed', at: scope.now });
  if (!closed) throw notPublished();
  await setAccepting(scope, row.id, false);
  await record(scope, interfaceClosed, row.id, { title: row.title }, isBehindBarrier(row.barrier_id));
  return getInterface(scope, row.id);
}

/** Replaces the link of a channel. The previous link stops working. Throws 403, 404, 409 `interface_not_published`. */
export async function rotateLink(interfaces: Interfaces, scope: Scope, id: string, channel: Channel): Promise<Versioned<LinkedInterface>> {
  const { row, access } = await lockedInterface(scope, id);
  if (row.published_version === null) throw notPublished();
  putLink(interfaces, scope, row.id, channel);
  await recordAudit(scope, linkRotated, row.id, { channel, ...access.byRole('edit') });
  return linked(interfaces, scope, row.id);
}

/** Returns the links of a form for a caller who can edit it. Throws 403, 404, 409 `interface_not_published`. */
export async function getLinks(interfaces: Interfaces, scope: ReadScope, id: string): Promise<LinkList> {
  // The links allow submissions, which is more than read access.
  if (!holdsScope(scope.actor, 'interfaces:write'))
    throw problems.insufficient_scope('The links give access to the form. Use a credential with the scope `interfaces:write`.');
  const { row } = await editableInterface(scope, id);
  const links = await linksOf(interfaces, scope, row.id);
  if (!links) throw notPublished();
  return links;
}

async function linked(
  interfaces: Interfaces,
  scope: Scope,
  id: string,
  warnings: NonNullable<LinkedInterface['warnings']> = [],
): Promise<Versioned<LinkedInterface>> {
  const { value, version } = await getInterface(scope, id);
  const links = await linksOf(interfaces, scope, id);
  if (!links) throw notPublished();
  return { value: { ...value, ...links, ...(warnings.length === 0 ? {} : { warnings }) }, version };
}

const notPublished = () => interfaceProblems.interface_not_published('The form is not published. Publish it first.');
