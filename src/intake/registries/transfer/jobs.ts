import { Type } from 'typebox';
import { actorToday } from '#documents';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { refusalOf } from '../../../platform/limits/quotas.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../../platform/system-scope.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { Actor, Scope } from '../../../platform/scope.ts';
import { writableRegistry } from '../access.ts';
import { readAhead, readingFor } from './ahead.ts';
import { carryOut } from './carry-out.ts';
import * as queries from './queries.ts';

type ImportJobData = { team: string; import: string };

const requestId = 'registry-import';

/** Imports a long file in the background. A retry is safe, because one transaction creates the records and ends the import. */
export const importJob = defineJob(
  'registry-import',
  Type.Object({ team: Type.String(), import: Type.String() }),
  {
    retries: 3,
    backoff: { first: 5, factor: 4, most: 120 },
    timeout: 300,
    // The rows of one file take up to some hundred megabytes of memory.
    concurrency: 1,
    onDiscard: (tx: Transaction, { team, import: id }: ImportJobData) =>
      tx.all(queries.failImport, {
        team,
        id,
        detail: 'The import failed several times because of an internal error. Send the file again.',
      }),
  },
  async (deps: SystemDependencies, { team, import: id }: ImportJobData) => {
    const wanted = await deps.database.reader(team).first(queries.waitingImport, { team, id });
    const content = wanted && (await contentOf(deps, team, wanted));
    if (!content) return;
    try {
      await importWaiting(deps, team, wanted, content);
    } catch (error) {
      const problem = refusalOf(error);
      if (!problem) throw error;
      await inTeamAsSystem(deps, team, requestId, (scope) => fail(scope, id, problem));
    }
  },
);

/** Whether to keep the rows, because they are imported next. */
const whole = { keepsRows: true };

const partBytes = 1024 * 1024;

/**
 * Reads the stored file in parts, because the database driver receives binary values as text of twice the length.
 * Returns undefined if the file no longer waits.
 */
async function contentOf(
  { database }: SystemDependencies,
  team: string,
  { id, bytes }: queries.WaitingImport,
): Promise<Buffer | undefined> {
  const content = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes;) {
    const found = await database.reader(team).first(queries.waitingPart, { team, id, from: at + 1, many: partBytes });
    if (!found?.part.length) return undefined;
    at += found.part.copy(content, at);
  }
  return content;
}

async function importWaiting(deps: SystemDependencies, team: string, wanted: queries.WaitingImport, content: Buffer): Promise<void> {
  const actor = await actorOf(deps, team, wanted);
  const { manner } = wanted;
  const ahead = await readAhead({ db: deps.database.reader(team), team, actor }, wanted.registry_id, content, manner, whole);
  await inTeamAsSystem(deps, team, requestId, async (system) => {
    const scope = { ...system, actor };
    const locked = await scope.db.first(queries.lockImport, { team, id: wanted.id });
    if (!locked) return;
    const reached = await writableRegistry(scope, wanted.registry_id);
    const reading = await readingFor(ahead, { ...reached, team }, content, manner, whole);
    await carryOut(scope, reached, { id: wanted.id, mode: wanted.mode, reading });
  });
}

/** Returns the sender of the file with their current rights. Throws 403 if the sender left the team. */
async function actorOf(
  { database }: SystemDependencies,
  team: string,
  { created_by: id, created_by_type: type }: queries.WaitingImport,
): Promise<Actor> {
  const actor = await actorToday({ db: database.reader(team), team }, id);
  if (type !== 'user' && !(actor && 'scopes' in actor && actor.scopes.has('registries:write')))
    throw problems.forbidden(
      'The API client that sent the file can no longer change registries. Check its scopes and state, or send the file with another client.',
    );
  if (!actor) throw problems.forbidden('The sender of the file left the team. Another member can send the file again.');
  return actor;
}

async function fail(scope: Scope, id: string, { code, detail }: Problem): Promise<void> {
  scope.db.send(queries.endImport, {
    team: scope.team,
    id,
    status: 'failed',
    total: 0,
    imported: 0,
    bad: 0,
    errors: '[]',
    code,
    detail,
    at: scope.now,
  });
}

const reportDays = 30;

/** Deletes reports of imports after 30 days, in batches. */
export async function dropOldImports(database: Database, now: Date, atOnceMost = 500): Promise<void> {
  const before = new Date(now.getTime() - reportDays * 86_400_000);
  for (;;) {
    const done = await database.asSystem('drop reports of imports', (tx) => tx.first(queries.dropImports, { before, limit: atOnceMost }));
    if ((done?.gone ?? 0) < atOnceMost) return;
  }
}
