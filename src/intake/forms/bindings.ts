import { isDeepStrictEqual } from 'node:util';
import type { Field, FieldType } from '#fields';
import { type AskBindings, type BoundRegistry, boundRegistry, requireBindable, type Showing } from '#registries';
import { Problem } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { FormBinding } from './form-binding.ts';
import { bindingsOfRegistry } from './queries.ts';
import type { Definition } from './schemas.ts';
import { changedUses, invalid } from './submission-actions.ts';

type Bound = { type: string; definition: Pick<Definition, 'fields' | 'config'> };
/** `fills`: the fields that outputs fill in. */
type NamedRegistry = { id: string; shows: boolean; writes: boolean; fills?: string[] };

/** The maximum number of registries of one form. */
const maxRegistries = 10;

/** Returns the registries of a definition in a fixed order, so that concurrent transactions lock them in the same order. */
export function registriesNamedBy({ type, definition: { fields, config } }: Bound): NamedRegistry[] {
  const written = config.bindsRegistryTypeId?.toLowerCase();
  const shown = new Set(fields.flatMap(({ registryTypeId }) => (registryTypeId === undefined ? [] : [registryTypeId.toLowerCase()])));
  // A registry form shows existing records of its registry.
  if (type === 'registry' && written !== undefined) shown.add(written);
  const filled = filledBy(config);
  const ids = new Set([...shown, ...filled.keys(), ...(written === undefined ? [] : [written])]);
  return [...ids].toSorted().map((id) => {
    const fills = filled.get(id);
    return { id, shows: shown.has(id), writes: id === written, ...(fills === undefined ? {} : { fills: [...fills] }) };
  });
}

/** Returns the fields that outputs fill in, by registry. */
function filledBy({ then = [] }: Definition['config']): Map<string, Set<string>> {
  const filled = new Map<string, Set<string>>();
  for (const { registryId, fields = {} } of then) {
    if (registryId === undefined) continue;
    const id = registryId.toLowerCase();
    filled.set(id, new Set([...(filled.get(id) ?? []), ...Object.keys(fields)]));
  }
  return filled;
}

/** The result of {@link lockRegistries}: each registry, or the reason why the actor cannot bind it. */
export type BindableRegistries = ReadonlyMap<string, BoundRegistry | Problem>;

/**
 * Locks the registries until the transaction ends, after the folders and before the form. Returns an error for each registry that the actor cannot
 * bind, and does not throw it.
 */
export async function lockRegistries(scope: Scope, wanted: readonly Pick<NamedRegistry, 'id'>[]): Promise<BindableRegistries> {
  if (wanted.length > maxRegistries) throw invalid('/fields', `names more than ${maxRegistries} registries`);
  const bindable = new Map<string, BoundRegistry | Problem>();
  for (const { id } of wanted) {
    const found = await requireBindable(scope, id).catch((error: unknown) => {
      if (error instanceof Problem) return error;
      throw error;
    });
    bindable.set(id, found);
  }
  return bindable;
}

/** Checks that the actor can bind the registries that the draft newly uses. Throws 403, 422 `registry_not_found`. */
export function grantRegistries(bindable: BindableRegistries, before: Bound | 'none', after: Bound): void {
  const had = new Map((before === 'none' ? [] : registriesNamedBy(before)).map((one) => [one.id, one]));
  const changed = before === 'none' || writesOtherwise(before.definition.config, after.definition.config);
  const wanted = registriesNamedBy(after);
  if (wanted.length > maxRegistries) throw invalid('/fields', `names more than ${maxRegistries} registries`);
  for (const one of wanted) {
    const was = had.get(one.id);
    const isKept = was?.shows === one.shows && was.writes === one.writes && (was.fills === undefined) === (one.fills === undefined);
    if (isKept && !((one.writes || one.fills) && changed)) continue;
    grantedOf(bindable, one.id);
  }
}

const writing: readonly string[] = ['bindsRegistryTypeId', 'bindsRegistryFields', 'bindsRegistryPending'];
const recordsOf = ({ then = [] }: Definition['config']) => then.filter(({ make }) => make === 'record');
const writesOtherwise = (before: Definition['config'], after: Definition['config']): boolean =>
  changedUses(before, after).some((member) => writing.includes(member)) || !isDeepStrictEqual(recordsOf(before), recordsOf(after));

function grantedOf(bindable: BindableRegistries, id: string): BoundRegistry {
  const registry = bindable.get(id);
  if (registry === undefined) throw new Error('the registry was not locked before it was bound');
  if (registry instanceof Problem) throw registry;
  return registry;
}

type Last = { config: Definition['config'] | null; bindings: readonly FormBinding[] } | undefined;

/**
 * Returns the registry bindings of a new version. An unchanged binding keeps the member of the previous version; a changed one uses
 * the rights of the publisher. Throws 403, 422 `interface_invalid`, `registry_not_found`.
 */
export async function bindRegistries(scope: Scope, bindable: BindableRegistries, last: Last, bound: Bound): Promise<FormBinding[]> {
  if (!('id' in scope.actor)) throw new Error('publishing needs an actor with an identifier');
  const { config, fields } = bound.definition;
  const otherwise = !last?.config || writesOtherwise(last.config, config);
  const bindings: FormBinding[] = [];
  for (const { id, shows, writes, fills } of registriesNamedBy(bound)) {
    const before = last?.bindings.find(({ registryId }) => registryId === id);
    const isKind = before && (before.shown !== null) === shows && (before.written !== null) === writes && !before.filled === !fills;
    const same = isKind && !((writes || fills) && otherwise);
    const kept = same && (await boundRegistry(scope, before)) !== undefined ? before : undefined;
    if (kept && bindable.get(id) instanceof Problem) bindings.push(kept);
    else {
      const registry = grantedOf(bindable, id);
      bindings.push({
        registryId: id,
        boundBy: kept?.boundBy ?? scope.actor.id,
        boundAt: kept?.boundAt ?? scope.now.toISOString(),
        shown: shows ? registry.fields.filter((field) => field.public).map((field) => field.id) : null,
        written: writes ? writtenBy(registry, fields, config.bindsRegistryFields) : null,
        ...(fills === undefined ? {} : { filled: fills }),
      });
    }
  }
  if (bound.type === 'registry' && config.bindsRegistryTypeId === undefined)
    throw invalid('/config/bindsRegistryTypeId', 'is required for a registry form');
  return bindings;
}

/** Other types of form fields whose answers a registry field accepts. Each submission checks the value. */
const alsoTakes: Partial<Record<FieldType, readonly FieldType[]>> = {
  text: ['email', 'phone', 'url', 'country', 'date', 'time', 'datetime', 'select', 'radio'],
  textarea: ['text', 'email', 'phone', 'url', 'country', 'date', 'time', 'datetime', 'select', 'radio'],
  number: ['integer'],
  select: ['radio', 'country'],
  radio: ['select', 'country'],
  multiselect: ['checkbox'],
  checkbox: ['multiselect', 'consent', 'boolean'],
  boolean: ['checkbox', 'consent'],
};
const takes = (to: FieldType, from: FieldType) => from === to || from === 'hidden' || (alsoTakes[to] ?? []).includes(from);

/** Maps the fields of a new record to fields of the form. Throws 422 `interface_invalid`. */
function writtenBy(
  registry: BoundRegistry,
  fields: readonly Field[],
  given: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const [own, questions] = [new Map(registry.fields.map((field) => [field.id, field])), new Map(fields.map((field) => [field.id, field]))];
  const pairs = given === undefined ? fields.filter(({ id }) => own.has(id)).map(({ id }) => [id, id] as const) : Object.entries(given);
  for (const [to, from] of pairs) {
    const at = given === undefined ? '/config/bindsRegistryTypeId' : `/config/bindsRegistryFields/${to}`;
    const [target, source] = [own.get(to), questions.get(from)];
    if (!target) throw invalid(at, 'is not a field of the registry');
    if (!source) throw invalid(at, 'is not a field of the form');
    if (!takes(target.type, source.type))
      throw invalid(at, `is a ${target.type} field of the registry, which does not accept answers of a ${source.type} field`);
  }
  const written = Object.fromEntries(pairs);
  const missing = registry.fields.find(
    ({ id, required, default: value }) => required && value === undefined && !Object.hasOwn(written, id),
  );
  if (missing) throw invalid('/config/bindsRegistryTypeId', `needs an answer for its field ${missing.id}, which is required`);
  if (pairs.length === 0) throw invalid('/config/bindsRegistryTypeId', 'has no field that accepts an answer of this form');
  return written;
}

/** Returns the registries of a version in which visitors can look up records. */
export function showingOf(bindings: readonly FormBinding[]): Showing[] {
  return bindings.flatMap(({ registryId, boundBy, boundAt, shown }) =>
    shown === null ? [] : [{ registryId, boundBy, boundAt, fields: shown }],
  );
}

/** Returns the registry fields that published forms show or write. */
export const answersToRegistries: AskBindings = async ({ db, team }, registryId) => {
  const found = await db.all(bindingsOfRegistry, { team, registry: registryId });
  return found.map(({ binding: { shown, written, filled = [] } }) => ({
    fields: [...new Set([...(shown ?? []), ...Object.keys(written ?? {}), ...filled])],
  }));
};
