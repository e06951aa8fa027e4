import { withoutLinks } from '../../../platform/text.ts';

/** Something that a person has made and that lets others in, or things out, and what becomes of it. */
export type OrphanedResource = {
  kind: 'client' | 'connection' | 'endpoint' | 'invitation';
  name: string;
  now: 'waits' | 'ended' | 'goes on';
};

/** Why a person is lost: no longer an active member of the team, no administrator any more, or back in their account by somebody else's doing. */
export type Lost = 'gone' | 'lowered' | 'reset';

/** What somebody has made who is gone, or was reset. */
export type Orphaned = { person: string; why: Lost; made: readonly OrphanedResource[] };

const maxNamed = 20;

/** What has become of things, one line for each: `words` names the kinds, `now` says what became of them. */
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
