import { randomUUIDv7 } from 'node:crypto';
import { violates } from '../../platform/database/errors.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanTitle, nameKey } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { clientCreated, clientUpdated } from './events.ts';
import { presentClient } from './present.ts';
import { matterProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { MatterClient, ClientBody, ClientPatch } from './schemas.ts';

type Page = { after: string; limit: number; q: string | null };

/** Returns a page of the clients of the team, in the order of their creation. */
export async function listClients(scope: ReadScope, page: Page): Promise<MatterClient[]> {
  return (await scope.db.all(queries.listClients, { team: scope.team, ...page })).map(presentClient);
}

/** Returns one client. Errors: 404. */
export async function getClient(scope: ReadScope | Scope, id: string): Promise<Versioned<MatterClient>> {
  const row = await scope.db.first(queries.findClient, { team: scope.team, id: pathId(id, 'client') });
  if (!row) throw notFound('client');
  return { value: presentClient(row), version: row.version };
}

/** Creates a client. Errors: 409 `matter_client_name_taken`. */
export async function createClient(scope: Scope, input: ClientBody): Promise<Versioned<MatterClient>> {
  const { team, actor, now: at } = scope;
  if (actor.type === 'system') throw new Error('a client needs a creator');
  const name = cleanTitle(input.name);
  const id = randomUUIDv7();
  const made = { team, id, name, key: nameKey(name), reference: input.reference ?? null, by: actor.id, byType: actor.type, at };
  await scope.db.all(queries.insertClient, made).catch(nameTaken);
  await recordAudit(scope, clientCreated, id, { name });
  return getClient(scope, id);
}

/** Changes the given members of a client. Errors: 404, 409 `matter_client_name_taken`, 412. */
export async function updateClient(scope: Scope, id: string, input: ClientPatch, expect: VersionCheck): Promise<Versioned<MatterClient>> {
  const of = { team: scope.team, id: pathId(id, 'client') };
  const row = await scope.db.locked(queries.lockClient, of, () => scope.db.first(queries.findClient, of));
  if (!row) throw notFound('client');
  expect(row.version);
  const name = input.name === undefined ? row.name : cleanTitle(input.name);
  const reference = input.reference === undefined ? row.reference : input.reference;
  await scope.db.all(queries.updateClient, { ...of, name, key: nameKey(name), reference, at: scope.now }).catch(nameTaken);
  await recordAudit(scope, clientUpdated, row.id, { name });
  return getClient(scope, row.id);
}

function nameTaken(error: unknown): never {
  if (!violates(error, 'matter_client_name')) throw error;
  throw matterProblems.matter_client_name_taken('Another client of your team has this name. Use that client, or choose another name.');
}
