import { type Actor, isConfined } from '../platform/scope.ts';
import { permissions, roleRelations } from './model.ts';

export type ResourceType = keyof typeof permissions;
export type Permission<Type extends ResourceType> = keyof (typeof permissions)[Type] & string;
/** The resource types that have all of some permissions. */
export type TypeWith<Needed extends string> = {
  [Type in ResourceType]: [Needed] extends [Permission<Type>] ? Type : never;
}[ResourceType];

/**
 * The relations of an actor to one resource, as statements return them. `from` contains the actor’s relations to the container and the document of
 * the resource. Barriers make an actor `excluded` or an `outsider`.
 */
export type Relations = {
  relations: readonly string[];
  from?: Readonly<Record<string, readonly string[]>>;
  excluded?: boolean;
  outsider?: boolean;
  conflicted?: boolean;
};

type Clause = {
  all: readonly { relations: readonly string[]; from: Readonly<Record<string, readonly string[]>>; team: readonly string[] }[];
  unless: readonly ('excluded' | 'outsider' | 'conflicted')[];
};

/** Returns whether the actor has a permission on a resource, by the rules in `src/access/model.fga`. The system has all permissions. */
export function can<Type extends ResourceType>(actor: Actor, type: Type, permission: Permission<Type>, resource: Relations): boolean {
  if (actor.type === 'system') return true;
  const clauses = (permissions[type] as Record<string, readonly Clause[]>)[permission] ?? [];
  const team = teamRelations(actor);
  const isAny = (wanted: readonly string[] | undefined, given: readonly string[]) => wanted?.some((each) => given.includes(each)) ?? false;
  return clauses.some(
    ({ all, unless }) =>
      all.every(
        (sources) =>
          isAny(sources.relations, resource.relations) ||
          isAny(sources.team, team) ||
          Object.entries(resource.from ?? {}).some(([link, given]) => isAny(sources.from[link], given)),
      ) && !unless.some((each) => resource[each]),
  );
}

/** Returns the relations of an actor to the team, which depend on its role. */
function teamRelations(actor: Actor): readonly string[] {
  if (actor.type === 'user') return (roleRelations as Record<string, readonly string[]>)[actor.role ?? ''] ?? [];
  if (actor.type !== 'client' && actor.type !== 'agent') return [];
  return isConfined(actor) ? roleRelations.writer : [...roleRelations.unconfined, ...roleRelations.writer];
}

/** Returns the relations to a resource that are each sufficient for a permission. */
export function relationsFor<Type extends ResourceType>(actor: Actor, type: Type, permission: Permission<Type>): string[] {
  const clauses = (permissions[type] as Record<string, readonly Clause[]>)[permission] ?? [];
  const named = new Set(clauses.flatMap(({ all }) => all.flatMap(({ relations }) => relations)));
  return [...named].filter((relation) => can(actor, type, permission, { relations: [relation] }));
}
