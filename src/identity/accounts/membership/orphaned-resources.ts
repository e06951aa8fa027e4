import { withoutLinks } from '../../../platform/text.ts';

/** A resource of a departed or reset user that gives access or sends data, and what happens to it now. */
export type OrphanedResource = {
  kind: 'client' | 'connection' | 'endpoint' | 'invitation';
  name: string;
  now: 'waits' | 'ended' | 'goes on';
};

/** Why a user lost the resources: no longer an active member, no longer an administrator, or credentials reset by mail or by staff. */
export type Lost = 'gone' | 'lowered' | 'reset';

/** The resources of a departed or reset user. */
export type Orphaned = { person: string; why: Lost; made: readonly OrphanedResource[] };

const maxNamed = 20;

/** Lists the resources, one line for each kind and `now`. `words` has the texts of the kinds, `now` those of what happens to them. */
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
