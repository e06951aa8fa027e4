import { Type } from 'typebox';
import { activeMember } from '#teams';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { refusalOf } from '../../../platform/limits/quotas.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { Actor, Scope } from '../../../platform/scope.ts';
import { writableRegistry } from '../access.ts';
import { readAhead, readingFor } from './ahead.ts';
import { carryOut } from './carry-out.ts';
import * as queries from './queries.ts';

export type ImportDeps = { database: Database; listeners: readonly EventListener[]; clock: () => Date };
type Data = { team: string; import: string };

/** Imports a long file. Done again after a crash: the records are made in the transaction that says so. */
export const importJob = defineJob(
  'registry-import',
  Type.Object({ team: Type.String(), import: Type.String() }),
  {
    retries: 3,
    backoff: { first: 5, factor: 4, most: 120 },
    timeout: 300,
    // The rows of one take up to some hundred megabytes.
    concurrency: 1,
    givenUp: (tx: Transaction, { team, import: id }: Data) =>
      tx.all(queries.giveUpImport, {
        team,
        id,
        detail: 'The service failed while it imported the file, again and again. Send it once more.',
      }),
  },
  async (deps: ImportDeps, { team, import: id }: Data) => {
    const wanted = await deps.database.reader(team).first(queries.waitingImport, { team, id });
    const content = wanted && (await contentOf(deps, team, wanted));
    if (!content) return;
    try {
      await importWaiting(deps, team, wanted, content);
    } catch (error) {
      const problem = refusalOf(error);
      if (!problem) throw error;
      await inTeam(deps, team, { type: 'system' }, (scope) => fail(scope, id, problem));
    }
  },
);

/** Records are made of it now. */
const whole = { keepsRows: true };

const partBytes = 1024 * 1024;

/** The file, read part by part: a value of the database comes as text of twice its length. Nothing where it does not wait any more. */
async function contentOf({ database }: ImportDeps, team: string, { id, bytes }: queries.WaitingImport): Promise<Buffer | undefined> {
  const content = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes;) {
    const found = await database.reader(team).first(queries.waitingPart, { team, id, from: at + 1, many: partBytes });
    if (!found?.part.length) return undefined;
    at += found.part.copy(content, at);
  }
  return content;
}

async function importWaiting(deps: ImportDeps, team: string, wanted: queries.WaitingImport, content: Buffer): Promise<void> {
  const actor = await actorOf(deps, team, wanted);
  const { manner } = wanted;
  const ahead = await readAhead({ db: deps.database.reader(team), team, actor }, wanted.registry_id, content, manner, whole);
  await inTeam(deps, team, actor, async (scope) => {
    const held = await scope.db.first(queries.holdImport, { team, id: wanted.id });
    if (!held) return;
    const reached = await writableRegistry(scope, wanted.registry_id);
    const reading = await readingFor(ahead, { ...reached, team }, content, manner, whole);
    await carryOut(scope, reached, { id: wanted.id, mode: wanted.mode, reading });
  });
}

/** Whoever sent the file, as what they are today. Errors: 403 for somebody who has left. */
async function actorOf(
  { database }: ImportDeps,
  team: string,
  { created_by: id, created_by_type: type }: queries.WaitingImport,
): Promise<Actor> {
  if (type !== 'user') return programOf(await database.reader(team).first(queries.programToday, { team, id }), id);
  const member = await database.reader(team).first(activeMember, { team, id });
  if (!member) throw problems.forbidden('Whoever sent the file has left the team.');
  return { type: 'user', id, role: member.role };
}

function programOf(client: queries.ProgramToday | undefined, id: string): Actor {
  if (!client?.scopes.includes('registries:write'))
    throw problems.forbidden('The program that sent the file may not change registries any more.');
  const { scopes, folder_ids: folderIds } = client;
  return { type: 'client', id, scopes: new Set(scopes), ...(folderIds === null ? {} : { folderIds }) };
}

function inTeam<T>({ database, listeners, clock }: ImportDeps, team: string, actor: Actor, work: (scope: Scope) => Promise<T>): Promise<T> {
  return database.inTeam(team, (db) => work({ db, team, actor, now: clock(), requestId: 'registry-import', listeners }));
}

async function fail(scope: Scope, id: string, { code, detail }: Problem): Promise<void> {
  scope.db.send(queries.endImport, {
    team: scope.team,
    id,
    status: 'failed',
    total: 0,
    imported: 0,
    bad: 0,
    faults: '[]',
    code,
    detail,
    at: scope.now,
  });
}

const reportDays = 30;

/** Reports of imports go after 30 days, a bounded number a transaction. */
export async function dropOldImports(database: Database, now: Date, atOnceMost = 500): Promise<void> {
  const before = new Date(now.getTime() - reportDays * 86_400_000);
  for (;;) {
    const done = await database.asSystem('drop reports of imports', (tx) => tx.first(queries.dropImports, { before, limit: atOnceMost }));
    if ((done?.gone ?? 0) < atOnceMost) return;
  }
}
