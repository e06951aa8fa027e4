import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '../database/database.ts';
import { sqlStatement } from '../database/statement.ts';
import { problems } from '../problems.ts';

/** Encrypts what is kept of an answer, bound to its key: some answers carry a secret that is shown once. */
export type Answers = {
  seal(answer: string, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): string;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the answer is a replay; the server adds `Idempotency-Replayed: true`. */
    idempotencyReplayed: boolean;
  }
}

const keptHours = 24;

const tryLock = sqlStatement<{ lock: string }, { locked: boolean }>(
  'SELECT pg_try_advisory_xact_lock(hashtextextended($lock, 0)) AS locked',
);

type Key = { team: string; actor: string; key: string };

const findAnswer = sqlStatement<Key, { fingerprint: Buffer; answer: Buffer; expired: boolean }>(
  `SELECT fingerprint, answer, created_at < now() - interval '${keptHours} hours' AS expired
   FROM idempotent_answer WHERE team_id = $team AND actor_id = $actor AND key = $key`,
);

const dropAnswer = sqlStatement<Key, never>('DELETE FROM idempotent_answer WHERE team_id = $team AND actor_id = $actor AND key = $key');

const keepAnswer = sqlStatement<Key & { fingerprint: Buffer; answer: Buffer }, never>(
  `INSERT INTO idempotent_answer (team_id, actor_id, key, fingerprint, answer) VALUES ($team, $actor, $key, $fingerprint, $answer)`,
);

type Attempt = {
  request: FastifyRequest;
  db: Transaction;
  team: string;
  actorId: string;
  answers: Answers;
  /** Stands for a body that is not JSON, such as the hash of an uploaded file. */
  fingerprint: string | undefined;
};

/** Same method, address and body: the same request. */
function fingerprintOf(request: FastifyRequest, body: string): Buffer {
  return createHash('sha256').update(`${request.method} ${request.url}\n${body}`).digest();
}

/**
 * Honours `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header) on a POST. The answer is kept in the
 * transaction of the change: after a crash either both are there or neither. Same key and body: the kept answer;
 * same key, other body: 422; still in flight: 409.
 */
export async function withIdempotency<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
  const { request, db, team, actorId: actor } = attempt;
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || key === undefined) return work();
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    throw problems.validation_failed('The Idempotency-Key header must be one text of 1 to 255 characters.');
  }
  const boundTo = `${team} ${actor} ${key}`;
  const fingerprint = fingerprintOf(request, attempt.fingerprint ?? JSON.stringify(request.body ?? null));
  const [lock, kept] = await Promise.all([db.first(tryLock, { lock: boundTo }), db.first(findAnswer, { team, actor, key })]);
  if (!lock?.locked)
    throw problems.idempotency_in_progress('A request with this Idempotency-Key is still being carried out. Send it again in a moment.');
  if (kept && !kept.expired) {
    if (!kept.fingerprint.equals(fingerprint)) {
      throw problems.idempotency_key_reused(
        'This Idempotency-Key was used for a request with another body. Use a new key for a new request.',
      );
    }
    request.idempotencyReplayed = true;
    return JSON.parse(attempt.answers.open(kept.answer, boundTo)) as T;
  }
  if (kept) await db.all(dropAnswer, { team, actor, key });
  const answer = await work();
  await db.all(keepAnswer, { team, actor, key, fingerprint, answer: attempt.answers.seal(JSON.stringify(answer), boundTo) });
  return answer;
}
