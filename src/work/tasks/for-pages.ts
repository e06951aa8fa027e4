import type { FastifyRequest } from 'fastify';
import { fullNameOf, zoneOfTeam } from '#teams';
import type { Sort } from '../../platform/database/sorted-page.ts';
import { sortedPage } from '../../platform/http/page.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import { completeTask, recordSignature } from './complete.ts';
import { claimTask } from './groups.ts';
import { findTask } from './lookup.ts';
import { type CompletionRefusal, completionRefusal } from './access.ts';
import { presentTask } from './present.ts';
import { listTasks } from './service.ts';
import type { CompleteTask, Task } from './schemas.ts';

/** A task for the page that shows it to the signed-in person. */
export type TaskForPage = {
  task: Task;
  /** The name of the person who created the task; undefined if an API client or a workflow created it. */
  givenBy: string | undefined;
  /** The time zone of the team, in which the page writes times. */
  timeZone: string;
  /** The outcomes that the page offers: those of the task, or for a signature task those of a signature outside this service. */
  outcomes: readonly string[];
  /** Why this person cannot complete the task. */
  refusal: Exclude<CompletionRefusal, 'unclaimed'> | undefined;
};

/** A task in the list of a person's open tasks. */
export type OpenTask = Pick<Task, 'id' | 'title' | 'dueDate'>;

/**
 * The use cases of tasks for the pages of the server. The principal of `request` is a person. Each method rejects with the problems of its operation.
 */
export type TasksForPages = {
  show(request: FastifyRequest, id: string): Promise<TaskForPage>;
  /** Completes the task, and claims it before if it belongs to a group. For a signature task, records a signature outside this service. */
  complete(request: FastifyRequest, id: string, given: NonNullable<CompleteTask> & { outcome: string }): Promise<void>;
  /** The open tasks of the person and those that they can claim, oldest first, at most 50. */
  open(request: FastifyRequest): Promise<{ tasks: OpenTask[]; timeZone: string }>;
};

const maxListed = 50;
const signatureOutcomes = ['signed_elsewhere', 'declined'] as const;
const anyVersion = () => undefined;

async function zoneOf(request: FastifyRequest): Promise<string> {
  const { db, team } = reading(request);
  return (await db.first(zoneOfTeam, { team }))?.time_zone ?? 'UTC';
}

/** The page claims a task of a group together with its completion, except a task with a form. */
const unlessClaimable = (type: string, refusal: CompletionRefusal | undefined) => {
  if (refusal !== 'unclaimed') return refusal;
  return type === 'form' ? 'another_person' : undefined;
};

export const tasksForPages: TasksForPages = {
  async show(request, id) {
    const scope = reading(request);
    const row = await findTask(scope, id);
    const { team, db } = scope;
    const creator = row.created_by_type === 'user' ? await db.first(fullNameOf, { team, id: row.created_by }) : undefined;
    return {
      task: presentTask(row),
      givenBy: creator?.name,
      timeZone: await zoneOf(request),
      outcomes: row.type === 'signature' ? signatureOutcomes : presentTask(row).outcomes,
      refusal: unlessClaimable(row.type, completionRefusal(scope.actor, row)),
    };
  },

  async complete(request, id, given) {
    await writing(request, async (scope) => {
      const { outcome } = given;
      if (completionRefusal(scope.actor, await findTask(scope, id)) === 'unclaimed') await claimTask(scope, id, anyVersion);
      if (outcome === 'signed_elsewhere' || (outcome === 'declined' && (await findTask(scope, id)).type === 'signature'))
        await recordSignature(scope, id, { ...given, outcome }, anyVersion);
      else await completeTask(scope, id, given, anyVersion);
    });
  },

  async open(request) {
    const page = sortedPage<Sort>({ limit: maxListed }, 'createdAt');
    const found = await listTasks(reading(request), { assignedTo: 'me', claimable: true, status: ['open'] }, page);
    return { tasks: found === undefined ? [] : (JSON.parse(found.body) as OpenTask[]), timeZone: await zoneOf(request) };
  },
};
