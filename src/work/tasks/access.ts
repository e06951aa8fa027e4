import { can } from '#access';
import { type Actor } from '../../platform/scope.ts';
import { asksOwnPerson, isDecision, needsPerson } from './kinds.ts';
import type { SeenTask } from './queries.ts';

/** The facts of a task that access rules need. `emergency`: the actor has only emergency access to the document of the task. */
export type TaskFacts = Pick<
  SeenTask,
  | 'type'
  | 'status'
  | 'assigned_to'
  | 'assigned_group_id'
  | 'candidate'
  | 'on_behalf_of'
  | 'owner_id'
  | 'participant_id'
  | 'workflow_id'
  | 'created_by'
  | 'created_by_type'
  | 'emergency'
> & { in_viewed_matter?: boolean | null; approval_round_id?: string | null };

/** The relations of an actor to a task. The last assignee of an ended task stays related to it, as its participant. */
function relationsTo(actor: Actor, task: TaskFacts): string[] {
  if (!('id' in actor)) return [];
  const { id } = actor;
  const isAssignee = task.assigned_to === id && (task.status === 'open' || task.participant_id === id);
  return [
    ...(isAssignee ? ['assignee'] : []),
    ...(task.candidate ? ['candidate'] : []),
    ...(task.on_behalf_of === id ? ['absentee'] : []),
    ...(task.owner_id === id ? ['owner'] : []),
    ...(task.participant_id === id ? ['participant'] : []),
  ];
}

/** Whether the actor may view a task that no barrier hides from them. */
export const mayView = (actor: Actor, task: TaskFacts): boolean =>
  can(actor, 'task', 'view', { relations: relationsTo(actor, task), from: { parent: task.in_viewed_matter ? ['viewer'] : [] } });

/** The person or API client whose tasks a list shows. Null for all tasks of the team. */
export const listedFor = (actor: Actor): string | null =>
  'id' in actor && !can(actor, 'task', 'view', { relations: [] }) ? actor.id : null;

export const mayCreate = (actor: Actor): boolean => can(actor, 'task', 'create', { relations: [] });

/** The types of task that viewers may complete. */
export const doneByViewers: readonly string[] = ['task', 'acknowledgement'];
export const viewersDo = (type: string): boolean => doneByViewers.includes(type);

/** Why an actor may not complete a task that they see. */
export type CompletionRefusal = 'unclaimed' | 'another_person' | 'person_needed' | 'viewer' | 'second_person' | 'emergency_access';

/**
 * Returns why an actor may not complete a task that they see. A task without an assignee and group, except a decision, is for all who see it, but not
 * for viewers of its matter. A member of its group claims it first. A program cannot complete a task that needs a person.
 *
 * @param conflicted whether the two-person rule excludes the actor
 */
export function completionRefusal(actor: Actor, task: TaskFacts, conflicted = false): CompletionRefusal | undefined {
  const own = relationsTo(actor, task);
  const isFree =
    task.assigned_to === null &&
    task.assigned_group_id === null &&
    !isDecision(task.type) &&
    (actor.type === 'user' || !needsPerson(task.type)) &&
    can(actor, 'task', 'view', { relations: own });
  const relations = [...own, ...(isFree ? ['assignee'] : [])];
  const permission = viewersDo(task.type) ? 'complete' : 'decide';
  if (can(actor, 'task', permission, { relations, outsider: task.emergency, conflicted })) return undefined;
  if (task.emergency) return 'emergency_access';
  if (actor.type !== 'user') return 'person_needed';
  if (task.candidate && task.assigned_to === null) return 'unclaimed';
  if (actor.role === 'viewer' && permission === 'decide') return 'viewer';
  return relations.includes('assignee') ? 'second_person' : 'another_person';
}

/** Why a person may not claim an open task that they see. */
export type ClaimRefusal = 'not_in_group' | 'outside_barrier' | 'second_person' | 'claimed' | 'viewer';

/**
 * Returns why a person may not claim an open task that they see. A member of its group claims it; the rules of the completion apply.
 *
 * @param conflicted whether the two-person rule excludes the person
 */
export function claimRefusal(actor: Actor, task: TaskFacts, conflicted: boolean): ClaimRefusal | undefined {
  const relations = relationsTo(actor, task);
  const outsider = task.emergency;
  const permission = viewersDo(task.type) ? 'claim' : 'claim_decision';
  if (!can(actor, 'task', 'claim', { relations })) return 'not_in_group';
  if (outsider) return 'outside_barrier';
  if (conflicted) return 'second_person';
  if (!can(actor, 'task', permission, { relations, outsider, conflicted })) return 'viewer';
  return task.assigned_to === null ? undefined : 'claimed';
}

/** Whether a person may release a claimed task: its assignee, an owner or administrator. */
export const mayRelease = (actor: Actor, task: TaskFacts): boolean =>
  can(actor, 'task', 'release', { relations: relationsTo(actor, task), outsider: task.emergency });

/** Why an actor may not reassign a task that they see. */
export type ReassignRefusal = 'own_question' | 'vote' | 'not_theirs' | 'second_person' | 'emergency_access';

/**
 * Returns why an actor may not reassign a task that they see. A vote is not reassigned, because the rules of its round chose the member. An absent member may take a delegated task back, but may not assign it to another
 * member.
 *
 * @param conflicted the persons with a conflict of interest by the two-person rule
 */
export function reassignRefusal(
  actor: Actor,
  task: TaskFacts,
  { target, conflicted }: { target: string; conflicted: ReadonlySet<string> },
): ReassignRefusal | undefined {
  if (task.emergency) return 'emergency_access';
  if (asksOwnPerson(task)) return 'own_question';
  if ((task.approval_round_id ?? null) !== null && target !== task.on_behalf_of) return 'vote';
  const facts = { relations: relationsTo(actor, task), outsider: task.emergency };
  const decides = isDecision(task.type);
  const takesBack = target === task.on_behalf_of && can(actor, 'task', 'take_back', facts);
  if (!takesBack && !can(actor, 'task', decides ? 'reassign_decision' : 'reassign', facts)) return 'not_theirs';
  return decides && target !== task.assigned_to && conflicted.has(target) ? 'second_person' : undefined;
}
