import { eventCatalogue } from '../../platform/journal/audit-actions.ts';
import { nearestName } from '../../platform/http/known-members.ts';
import { problems } from '../../platform/problems.ts';
import { webhookProblems } from './problems.ts';

const word = '[A-Za-z0-9_-]+';
// `*`, a family such as `task.*`, or a dotted name such as `workflow.step.completed`.
const wellFormed = new RegExp(String.raw`^(?:\*|${word}(?:\.${word})*\.\*|${word}(?:\.${word})+)$`);

/** The names as they are kept: each once, in the order given. Errors: 400 naming the first that is malformed. */
export function eventNames(names: readonly string[]): string[] {
  const bad = names.findIndex((name) => !wellFormed.test(name));
  if (bad === -1) return [...new Set(names)];
  throw problems.validation_failed('`events` takes event types such as `task.created`, families such as `task.*`, or `*` for all.', {
    errors: [{ name: String(bad), pointer: `/events/${bad}`, reason: 'is not an event type, a family or *', rule: 'event_name' }],
  });
}

/**
 * Refuses a name that is at most two letters from a type or family of today. `kept` are the names that the endpoint has already. Errors: 422
 * `webhook_event_not_found`.
 */
export function refuseMisspelt(names: readonly string[], kept: readonly string[] = []): void {
  const known = new Set([...eventCatalogue.keys()].flatMap((type) => subscriptionsTo(type)));
  const errors = names.flatMap((name, index) => {
    const nearest = known.has(name) || kept.includes(name) ? undefined : nearestName(name, known, 2);
    if (nearest === undefined) return [];
    return [{ name: String(index), pointer: `/events/${index}`, reason: `is not known: did you mean \`${nearest}\`?`, rule: 'unknown' }];
  });
  const [first] = errors;
  if (first) throw webhookProblems.webhook_event_not_found(`${first.pointer} ${first.reason}`, { errors });
}

/** Names that no event has today: kept, since the type may be one to come, and pointed out. */
export function unknownNames(names: readonly string[]): string[] {
  const types = [...eventCatalogue.keys()];
  return names.filter(
    (name) => name !== '*' && !(name.endsWith('.*') ? types.some((type) => type.startsWith(name.slice(0, -1))) : eventCatalogue.has(name)),
  );
}

/** Types that only their own name or their family brings, not `*`. */
function typesByNameAlone(): string[] {
  return [...eventCatalogue.values()].filter(({ requiresExplicitSubscription }) => requiresExplicitSubscription).map(({ type }) => type);
}

/** Types that go to the one endpoint that each event names. */
export function typesToOne(): string[] {
  return [...eventCatalogue.values()].filter(({ toEndpoint }) => toEndpoint !== undefined).map(({ type }) => type);
}

/** The scope that opens events of a type; nothing for a type that is no more. */
export function scopeOf(type: string): string | undefined {
  return eventCatalogue.get(type)?.scope;
}

/** Every scope that opens events. */
export function scopesOfEvents(): string[] {
  return [...new Set(Array.from(eventCatalogue.values(), ({ scope }) => scope))];
}

/** Types whose events none of these scopes opens. */
export function typesClosedTo(scopes: ReadonlySet<string>): string[] {
  return [...eventCatalogue.values()].filter(({ scope }) => !scopes.has(scope)).map(({ type }) => type);
}

/**
 * The first event whose scope is not among these, and which these names ask for by its type or a family; nothing when all are
 * open. `*` asks for those that are open, whichever they are.
 */
export function closedTo(scopes: ReadonlySet<string>, names: readonly string[]): { type: string; scope: string } | undefined {
  for (const { type, scope } of eventCatalogue.values())
    if (!scopes.has(scope) && subscriptionsTo(type).some((name) => name !== '*' && names.includes(name))) return { type, scope };
  return undefined;
}

/** What an endpoint may name to get an event: its type, each family above it, and `*` unless the type must be named. */
export function subscriptionsTo(type: string): string[] {
  const words = type.split('.');
  const all = eventCatalogue.get(type)?.requiresExplicitSubscription ? [] : ['*'];
  return [...all, ...words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('.')}.*`), type];
}

/** Splits subscriptions into exact types and the beginnings of families, the way queries compare them. */
export function matchersOf(names: readonly string[]): { types: string[]; prefixes: string[]; notByAll: string[] } {
  return {
    notByAll: typesByNameAlone(),
    types: names.filter((name) => !name.endsWith('*')),
    prefixes: names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
  };
}
