import { eventCatalogue } from '../../platform/journal/audit-actions.ts';
import { nearestName } from '../../platform/http/known-members.ts';
import { problems } from '../../platform/problems.ts';
import { webhookProblems } from './problems.ts';

const word = '[A-Za-z0-9_-]+';
// `*`, a family such as `task.*`, or a dotted name such as `workflow.step.completed`.
const wellFormed = new RegExp(String.raw`^(?:\*|${word}(?:\.${word})*\.\*|${word}(?:\.${word})+)$`);

/** Returns the names without duplicates, in the given order. Errors: 400 for the first malformed name. */
export function eventNames(names: readonly string[]): string[] {
  const bad = names.findIndex((name) => !wellFormed.test(name));
  if (bad === -1) return [...new Set(names)];
  throw problems.validation_failed('`events` accepts event types such as `task.created`, families such as `task.*`, or `*` for all.', {
    errors: [{ name: String(bad), pointer: `/events/${bad}`, reason: 'is not an event type, a family or *', rule: 'event_name' }],
  });
}

/**
 * Rejects a name that differs from a current type or family by at most two letters. `kept` has the names that the endpoint already has. Errors: 422
 * `webhook_event_not_found`.
 */
export function rejectUnknownNames(names: readonly string[], kept: readonly string[] = []): void {
  const known = new Set([...eventCatalogue.keys()].flatMap((type) => subscriptionsTo(type)));
  const errors = names.flatMap((name, index) => {
    const nearest = known.has(name) || kept.includes(name) ? undefined : nearestName(name, known, 2);
    if (nearest === undefined) return [];
    return [{ name: String(index), pointer: `/events/${index}`, reason: `is unknown: did you mean \`${nearest}\`?`, rule: 'unknown' }];
  });
  const [first] = errors;
  if (first) throw webhookProblems.webhook_event_not_found(`${first.pointer} ${first.reason}`, { errors });
}

/** Names that match no current event type. They are stored, because a later version may add the type, and the response warns about them. */
export function unknownNames(names: readonly string[]): string[] {
  const types = [...eventCatalogue.keys()];
  return names.filter(
    (name) => name !== '*' && !(name.endsWith('.*') ? types.some((type) => type.startsWith(name.slice(0, -1))) : eventCatalogue.has(name)),
  );
}

/** Types that `*` does not include, only their name or family. */
function typesByNameAlone(): string[] {
  return [...eventCatalogue.values()].filter(({ requiresExplicitSubscription }) => requiresExplicitSubscription).map(({ type }) => type);
}

/** Event types whose events go only to the endpoint that they name. */
export function typesToOne(): string[] {
  return [...eventCatalogue.values()].filter(({ toEndpoint }) => toEndpoint !== undefined).map(({ type }) => type);
}

/** The scope that events of a type require; undefined for a type that no longer exists. */
export function scopeOf(type: string): string | undefined {
  return eventCatalogue.get(type)?.scope;
}

/** All scopes that events require. */
export function scopesOfEvents(): string[] {
  return [...new Set(Array.from(eventCatalogue.values(), ({ scope }) => scope))];
}

/** Types whose events require a scope outside these. */
export function typesClosedTo(scopes: ReadonlySet<string>): string[] {
  return [...eventCatalogue.values()].filter(({ scope }) => !scopes.has(scope)).map(({ type }) => type);
}

/**
 * The first event type that `names` include, by type or family, and whose scope is missing in `scopes`; undefined if
 * there is no such type. `*` subscribes only to types whose scopes are present.
 */
export function closedTo(scopes: ReadonlySet<string>, names: readonly string[]): { type: string; scope: string } | undefined {
  for (const { type, scope } of eventCatalogue.values())
    if (!scopes.has(scope) && subscriptionsTo(type).some((name) => name !== '*' && names.includes(name))) return { type, scope };
  return undefined;
}

/** The subscriptions that include an event type: the type, each family above it, and `*` unless the type must be named. */
export function subscriptionsTo(type: string): string[] {
  const words = type.split('.');
  const all = eventCatalogue.get(type)?.requiresExplicitSubscription ? [] : ['*'];
  return [...all, ...words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('.')}.*`), type];
}

/** Splits subscriptions into exact types and prefixes of families for queries. */
export function matchersOf(names: readonly string[]): { types: string[]; prefixes: string[]; notByAll: string[] } {
  return {
    notByAll: typesByNameAlone(),
    types: names.filter((name) => !name.endsWith('*')),
    prefixes: names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
  };
}
