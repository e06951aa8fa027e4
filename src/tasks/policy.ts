import { type Actor, runsTeam } from '../platform/scope.ts';

/** What the rules ask of a task. `decides`: an approval, review or signature. `needsPerson`: no program can do it. `asksOwnPerson`: a program asks by it whom it acts for. */
export type TaskFacts = {
  type: string;
  assigned_to: string | null;
  status: string;
  owner_id: string;
  /** Who has it as a record after its end. */
  participant_id: string | null;
  /** In whose place whoever has it does it. */
  on_behalf_of: string | null;
  /** The caller is inside of the barrier around its document by emergency access only. */
  emergency: boolean;
  decides: boolean;
  needsPerson: boolean;
  asksOwnPerson: boolean;
};

/**
 * Whose tasks a list shows: all of the team's (null), or those that this person, or this API client that is confined to
 * folders, holds, gave or ended.
 */
export function seerOf(actor: Actor): string | null {
  if (actor.type === 'user') return runsTeam(actor) ? null : actor.id;
  return (actor.type === 'client' || actor.type === 'agent') && actor.folderIds ? actor.id : null;
}

/** The person whom barriers look at; null for a program, which is inside of none. */
export const viewerOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.id : null);

/** Without barriers a task is seen by its owner, those who hold or ended it, those who run the team, and API clients. */
export function maySee(actor: Actor, task: TaskFacts): boolean {
  const seer = seerOf(actor);
  const holds = task.status === 'open' && task.assigned_to === seer;
  return seer === null || holds || [task.owner_id, task.on_behalf_of, task.participant_id].includes(seer);
}

/** Giving tasks is for those who may change something: not for viewers. */
export function mayGive(actor: Actor): boolean {
  return actor.type !== 'system' && !(actor.type === 'user' && actor.role === 'viewer');
}

/** The types of task that viewers complete. */
export const doneByViewers: readonly string[] = ['task', 'acknowledgement'];
export const viewersDo = (type: string): boolean => doneByViewers.includes(type);

/** Why somebody who sees a task may not complete it; nothing when they may. */
export type CompletionRefusal = 'another_person' | 'person_needed' | 'viewer' | 'second_person' | 'emergency_access';

/**
 * Completing is for the person a task is given to; one that is given to nobody is anybody's who sees it, unless it is a
 * decision. A program completes what is given to nobody and needs no person. Viewers do tasks and acknowledgements. Emergency access
 * reads only.
 *
 * @param uploaded whether the version that is judged came from the actor, while the workflow was under way
 */
export function completionRefusal(actor: Actor, task: TaskFacts, uploaded = false): CompletionRefusal | undefined {
  if (task.emergency) return 'emergency_access';
  if (actor.type !== 'user') return task.assigned_to !== null || task.needsPerson ? 'person_needed' : undefined;
  if (actor.role === 'viewer' && !viewersDo(task.type)) return 'viewer';
  if (task.assigned_to === null) return task.decides ? 'another_person' : undefined;
  if (task.assigned_to !== actor.id) return 'another_person';
  return uploaded ? 'second_person' : undefined;
}

/** Why somebody who sees a task may not pass it on to `target`; nothing when they may. */
export type ReassignRefusal = 'own_question' | 'not_theirs' | 'second_person' | 'emergency_access';

/**
 * Passing on is for the one who has a task, for the one in whose place they have it, who takes it back, for those who run the team and, where nothing is decided, for the one who gave it.
 * A decision comes to nobody who is `behind` what is decided on: who made the workflow, uploaded the version, answers for
 * the program that did, or has a voice in it already, whoever passes it on.
 */
export function reassignRefusal(
  actor: Actor,
  task: TaskFacts,
  passing: { target: string; behind: ReadonlySet<string> },
): ReassignRefusal | undefined {
  const holds = actor.type === 'user' && task.assigned_to === actor.id && actor.role !== 'viewer';
  const gave = actor.type !== 'system' && task.owner_id === actor.id && !task.decides && mayGive(actor);
  if (task.emergency) return 'emergency_access';
  if (task.asksOwnPerson) return 'own_question';
  const takesBack = actor.type === 'user' && task.on_behalf_of === actor.id && passing.target === actor.id && actor.role !== 'viewer';
  if (!holds && !gave && !takesBack && !runsTeam(actor)) return 'not_theirs';
  if (!task.decides || passing.target === task.assigned_to) return undefined;
  return passing.behind.has(passing.target) ? 'second_person' : undefined;
}
