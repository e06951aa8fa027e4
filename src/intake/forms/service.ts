import { randomUUIDv7 } from 'node:crypto';
import { bookingProblems, bookingsAhead, cancelAllOf, parseCalendar, saveCalendar, setAccepting } from '#bookings';
import { resolveText, localesOf } from '#fields';
import { isBehindBarrier, relationsFor, viewerOf, viewOf } from '#access';
import { lockMatterFor, ownerForActor, refuseUnderHold } from '#folders';
import { listedBy, searchParams } from '../../platform/database/list-filters.ts';
import type { ListPage } from '../../platform/database/json-page.ts';
import { isUuid } from '../../platform/identifiers.ts';
import type { ChangePage } from '../../platform/database/sorted-page.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { lockedWithTrees, readableInterface } from './access.ts';
import { requireBookings } from './bookings.ts';
import { grantRegistries, lockRegistries, registriesNamedBy } from './bindings.ts';
import { changedDefinition, type FormDraft, mergePatch, newDefinition } from './definition.ts';
import { interfaceCreated, interfaceDeleted, interfaceUpdated } from './events.ts';
import { listInterfaces as lists } from './list-queries.ts';
import { mayMake } from './policy.ts';
import { presentInterface } from './present.ts';
import { interfaceProblems } from './problems.ts';
import * as queries from './queries.ts';
import {
  type Calendar,
  type CreateInterface,
  type Definition,
  type DuplicateInterface,
  type InterfaceFilters,
  type ManagedInterface,
  membersNotChanged,
  type UpdateInterface,
} from './schemas.ts';
import { asCreator, grantUses, lockNamedMembers } from './submission-actions.ts';
import { requireUploadTypes } from './upload-types.ts';

/** Lists the forms that the actor can see. The list can be filtered, and is sorted by age or by `sort`. */
export async function listInterfaces(scope: ReadScope, filters: InterfaceFilters, page: ChangePage): Promise<ListPage | undefined> {
  const { sort, ...place } = page;
  const { status = null, type = null, matterId: matter = null } = filters;
  if (matter !== null && !isUuid(matter)) return undefined;
  const viewing = relationsFor(scope.actor, 'form', 'view');
  return scope.db.first(lists[listedBy(filters)][viewOf(scope.actor)][sort], {
    team: scope.team,
    ...viewerOf(scope.actor),
    viewing,
    status,
    type,
    matter,
    ...searchParams(filters),
    ...place,
  });
}

export async function getInterface(scope: ReadScope | Scope, id: string): Promise<Versioned<ManagedInterface>> {
  const { row } = await readableInterface(scope, id);
  return { value: presentInterface(row), version: row.version };
}

/** Creates a draft owned by its creator. A draft of an API client belongs to the owner of the team. Throws 400, 403, 422. */
export async function createInterface(scope: Scope, input: CreateInterface): Promise<Versioned<ManagedInterface>> {
  const { actor, team, now: at } = scope;
  if (actor.type === 'system' || !mayMake(actor))
    throw problems.forbidden('Viewers cannot create forms. Ask an owner or administrator for another role.');
  const made = await newDefinition(await inMatter(scope, input), scope.team);
  await requireUploadTypes(made.definition);
  const { config } = made.definition;
  const { place } = await grantUses(scope, { ...asCreator, namedMembers: await lockNamedMembers(scope, config) }, 'none', config);
  const bound = { type: input.type, definition: made.definition };
  grantRegistries(await lockRegistries(scope, registriesNamedBy(bound)), 'none', bound);
  const [id, title] = [randomUUIDv7(), titleOf(made.definition)];
  scope.db.send(queries.insertInterface, {
    team,
    id,
    type: input.type,
    title,
    ...written(made),
    owner: await ownerForActor(scope),
    folder: place.parent,
    by: actor.id,
    byType: actor.type,
    at,
  });
  await keepCalendar(scope, id, { kept: null, given: made.calendar, requireBookingAccess: () => undefined });
  await record(scope, interfaceCreated, id, { title, kind: input.type }, isBehindBarrier(place.barrier_id));
  return getInterface(scope, id);
}

/** Submissions of a form without a folder are stored in its matter. Errors: 400, 422 `matter_not_found`. */
async function inMatter(scope: Scope, { matterId, ...input }: CreateInterface): Promise<Omit<CreateInterface, 'matterId'>> {
  if (matterId === undefined) return input;
  const { parent } = await lockMatterFor(scope, matterId, input.config?.folderId);
  return { ...input, config: { ...input.config, ...(parent === null ? {} : { folderId: parent }) } };
}

/**
 * Copies the draft of a form for the caller, without its answers, links and shares. The caller needs access to everything that the draft refers to.
 * Throws 403, 404, 422.
 */
export async function duplicateInterface(scope: Scope, id: string, { title }: DuplicateInterface): Promise<Versioned<ManagedInterface>> {
  const { row } = await readableInterface(scope, id);
  return createInterface(scope, {
    ...row.draft,
    type: row.type,
    ...(title === undefined ? {} : { title }),
    ...(row.calendar === null ? {} : { calendar: row.calendar }),
  });
}

/** Changes the draft by a merge patch. The published version stays unchanged. Throws 400, 403, 404, 409 `draft_changed`, 412, 422. */
export async function updateInterface(
  scope: Scope,
  id: string,
  input: UpdateInterface,
  expect: VersionCheck,
): Promise<Versioned<ManagedInterface>> {
  const namedMembers = await lockNamedMembers(scope, input.config ?? {});
  const { row, access, registries } = await lockedWithTrees(scope, id, await namedBy(scope, id, input));
  expect(row.version);
  const { revision = row.revision, ...sent } = input;
  const patch = Object.fromEntries(Object.entries(sent).filter(([member]) => !membersNotChanged.includes(member)));
  if (revision !== row.revision) throw draftChanged(row.revision);
  const made = await changedDefinition({ definition: row.draft, calendar: row.calendar }, patch, scope.team);
  await requireUploadTypes(made.definition);
  const { place } = await grantUses(scope, { access, row, namedMembers }, row.draft.config, made.definition.config);
  const { type } = row;
  grantRegistries(registries, { type, definition: row.draft }, { type, definition: made.definition });
  scope.db.send(queries.updateDraft, {
    team: scope.team,
    id: row.id,
    title: titleOf(made.definition),
    ...written(made),
    folder: place.parent,
    at: scope.now,
  });
  if ('calendar' in patch)
    await keepCalendar(scope, row.id, {
      kept: row.calendar,
      given: made.calendar,
      requireBookingAccess: () => requireBookings(access, 'read'),
    });
  await recordAudit(scope, interfaceUpdated, row.id, { members: Object.keys(patch), revision: row.revision + 1, ...access.byRole('edit') });
  return getInterface(scope, row.id);
}

/**
 * Returns the registries that a change of a draft affects: those that it names, and the registry of the draft if only its mapping
 * changes.
 */
async function namedBy(scope: Scope, id: string, { fields = [], config = {} }: UpdateInterface) {
  const given = { fields: fields as Definition['fields'], config: mergePatch({}, config) as Definition['config'] };
  const named = registriesNamedBy({ type: 'form', definition: given });
  if (named.some(({ writes }) => writes) || !Object.keys(config as object).some((member) => member.startsWith('bindsRegistry')))
    return named;
  const { row } = await readableInterface(scope, id);
  const { bindsRegistryTypeId } = row.draft.config;
  return registriesNamedBy({
    type: 'form',
    definition: { ...given, config: bindsRegistryTypeId === undefined ? {} : { bindsRegistryTypeId } },
  });
}

/** Deletes a form; its links stop working. Requires the owner or an administrator. Throws 403, 404, 409 `legal_hold_active`, 412. */
export async function deleteInterface(
  scope: Scope,
  id: string,
  { expect, cancelBookings = false }: { expect: VersionCheck; cancelBookings?: boolean | undefined },
): Promise<void> {
  const { row, access } = await lockedWithTrees(scope, id, []);
  if (!access.can('manage')) throw problems.forbidden('Only the owner of the form or an administrator can delete it. Ask one of them.');
  expect(row.version);
  // After the deletion, no one could read its answers, so a legal hold must prevent it.
  if (row.published_version !== null) await refuseUnderHold(scope, row.folder_id, 'the folder of its answers, or on a parent folder');
  await endBookings(scope, row.id, cancelBookings);
  scope.db.send(queries.deleteLinks, { team: scope.team, id: row.id });
  scope.db.send(queries.markDeleted, { team: scope.team, id: row.id, at: scope.now });
  await record(scope, interfaceDeleted, row.id, { title: row.title, ...access.byRole('manage') }, isBehindBarrier(row.barrier_id));
}

async function endBookings(scope: Scope, id: string, cancels: boolean): Promise<void> {
  await setAccepting(scope, id, false);
  const ahead = await bookingsAhead(scope, id);
  if (ahead === 0) return;
  if (!cancels)
    throw bookingProblems.bookings_ahead(
      `There are ${ahead} future bookings. Send \`cancelBookings=true\` to cancel them, or wait until they are over.`,
    );
  await cancelAllOf(scope, id);
}

export const draftChanged = (revision: number) =>
  interfaceProblems.draft_changed(`The draft is now at revision ${revision}. Read it again, then send this revision.`);

/** Returns the title for lists and mails. */
function titleOf(definition: Definition): string {
  const [locale] = localesOf(definition);
  return resolveText(definition.title, locale, locale);
}

const written = ({ definition }: FormDraft) => ({ draft: JSON.stringify(definition) });

type Keeping = { kept: Calendar | null; given: Calendar | null; requireBookingAccess: () => void };

/** Saves the calendar of a change. It takes effect at once and is not part of a version. Throws 422. */
async function keepCalendar(scope: Scope, id: string, { kept, given, requireBookingAccess }: Keeping): Promise<void> {
  if (given !== null) await saveCalendar(scope, id, parseCalendar(given), { requireBookingAccess });
  else if (kept !== null)
    throw interfaceProblems.interface_invalid('You cannot remove the calendar of a form. Close the form to stop bookings.', {
      errors: [{ name: 'calendar', pointer: '/calendar', reason: 'cannot be removed', rule: 'calendar' }],
    });
}
