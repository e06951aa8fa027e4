import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { sharedBy } from '../coalesce.ts';
import { proven } from './with-credential-check.ts';
import { principalOf } from './scope.ts';

/** Proofs that are asked for at once: of those who read the same with one credential, as pages do that follow something, one is made. */
const proofs = new WeakMap<Database, ReturnType<typeof sharedBy<void>>>();

/**
 * An answer that is read over a long time, part by part: as much as a caller may, who reads as slowly as they like. Each part is sent
 * only while the credential of the request stands and may do what it could when it was asked; the connection is closed where it
 * does not, and whoever reads sees that the answer is not whole.
 */
export function longAnswer(request: FastifyRequest, parts: AsyncIterable<string | Buffer>): Readable {
  // Of bytes, so that one part at most is made ahead of who reads, and not as many as a stream of objects keeps.
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
