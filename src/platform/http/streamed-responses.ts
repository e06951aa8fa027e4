import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { sharedBy } from '../coalesce.ts';
import { proven } from './with-credential-check.ts';
import { principalOf } from './scope.ts';

/** Credential checks in progress. Concurrent streams with the same credential share one check. */
const proofs = new WeakMap<Database, ReturnType<typeof sharedBy<void>>>();

/**
 * Returns a response that is sent in parts over a long time. Before each part the credential is checked again. If it is no longer
 * valid or has fewer rights, the connection is closed, so the client sees that the response is incomplete.
 */
export function longAnswer(request: FastifyRequest, parts: AsyncIterable<string | Buffer>): Readable {
  // A byte stream prepares at most one part in advance; an object stream would buffer many.
  return Readable.from(whileAuthenticated(request, parts), { objectMode: false });
}

async function* whileAuthenticated(request: FastifyRequest, parts: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  const { team = '', proof } = principalOf(request);
  const { database } = request.server;
  const shared = proofs.get(database) ?? sharedBy<void>();
  proofs.set(database, shared);
  const prove = () => proven(() => database.inTeam(team, async (tx) => tx.prove(), proof));
  for await (const part of parts) {
    await shared(JSON.stringify([team, proof?.name, proof?.values]), prove);
    yield part;
  }
}
