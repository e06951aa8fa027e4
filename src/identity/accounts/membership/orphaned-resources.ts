import { withoutLinks } from '../../../platform/text.ts';

/** A resource of a departed or reset user that gives access or sends data, and its current state. */
export type OrphanedResource = {
  kind: 'client' | 'connection' | 'endpoint' | 'invitation';
  name: string;
  now: 'waits' | 'ended' | 'goes on';
};

/** The reason for the loss of resources. The user is no longer an active member or administrator, or credentials were reset by mail or by staff. */
export type Lost = 'gone' | 'lowered' | 'reset';

/** The resources of a departed or reset user. */
export type Orphaned = { person: string; why: Lost; made: readonly OrphanedResource[] };

const maxNamed = 20;

/** Lists the resources, one line for each kind and state. `words` has the texts for the kinds, and `now` the texts for the states. */
export function dispositionLines(
  made: readonly OrphanedResource[],
  words: Record<OrphanedResource['kind'], string>,
  now: Record<OrphanedResource['now'], string>,
): string[] {
  return [...Map.groupBy(made, ({ kind, now: disposition }) => `${words[kind]}, ${now[disposition]}`)].map(([what, things]) => {
    const named = things.slice(0, maxNamed).map(({ kind, name }) => (kind === 'client' ? withoutLinks(name) : name));
    return `${what}: ${[...named, ...(things.length > maxNamed ? ['…'] : [])].join(', ')}.`;
  });
}
