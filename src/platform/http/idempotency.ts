import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { MasterKey } from '../crypto/master-key.ts';
import { equalInConstantTime } from '../crypto/tokens.ts';
import type { Reader, Transaction } from '../database/database.ts';
import type { SealedColumn } from '../database/reencrypt.ts';
import { sqlStatement } from '../database/statement.ts';
import { problems } from '../problems.ts';
import { pipelined } from '../database/pipelined.ts';

/** Encrypts what is kept of an answer, bound to its key: some answers carry a secret that is shown once. */
export type Answers = {
  seal(answer: string, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): string;
  /** What is kept of a request: a keyed hash. */
  fingerprint(request: string): Buffer;
};

const answerPurpose = 'idempotent-answers';

/** Under keys of the master key, so that what is kept tells nothing to who has the database alone. */
export function keptAnswers(masterKey: MasterKey): Answers {
  const box = masterKey.box(answerPurpose);
  const key = masterKey.lasting('idempotent-requests');
  return {
    seal: (answer, boundTo) => box.seal(answer, boundTo),
    open: (sealed, boundTo) => box.open(sealed, boundTo).toString(),
    fingerprint: (request) => createHmac('sha256', key).update(request).digest(),
  };
}

/** Where answers are kept, sealed. */
export const sealedAnswers: SealedColumn = {
  table: 'idempotent_answer',
  column: 'answer',
  key: { team_id: 'uuid', actor_id: 'uuid', key: 'text' },
  purpose: answerPurpose,
  boundTo: ({ team_id: team = '', actor_id: actor = '', key = '' }) => placeOf({ team, actor, key }),
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the answer is a replay; the server adds `Idempotency-Replayed: true`. */
    idempotencyReplayed: boolean;
  }
  interface FastifyContextConfig {
    /** Whether the answer carries what is shown once: it is given again to the same session alone. Read from the schemas. */
    showsSecret?: boolean;
  }
}

const keptHours = 24;

const tryLock = sqlStatement<{ lock: string }, { locked: boolean }>(
  'SELECT pg_try_advisory_xact_lock(hashtextextended($lock, 0)) AS locked',
);

type ResponseKey = { team: string; actor: string; key: string };

const findAnswer = sqlStatement<ResponseKey, { fingerprint: Buffer; answer: Buffer; expired: boolean }>(
  `SELECT fingerprint, answer, created_at < now() - interval '${keptHours} hours' AS expired
   FROM idempotent_answer WHERE team_id = $team AND actor_id = $actor AND key = $key`,
);

const dropAnswer = sqlStatement<ResponseKey, never>(
  'DELETE FROM idempotent_answer WHERE team_id = $team AND actor_id = $actor AND key = $key',
);

const keepAnswer = sqlStatement<ResponseKey & { fingerprint: Buffer; answer: Buffer }, never>(
  `INSERT INTO idempotent_answer (team_id, actor_id, key, fingerprint, answer) VALUES ($team, $actor, $key, $fingerprint, $answer)`,
);

/** Somebody leaves a team: what they were answered there says nothing to them when they come back. */
export const dropAnswersOf = sqlStatement<{ team: string; id: string }, never>(
  'DELETE FROM idempotent_answer WHERE team_id = $team AND actor_id = $id',
);

/** Drops what is kept for those that a part of the statement before it names: `ended`, with `team_id` and `id`. */
export const dropAnswersOfText = (ended: string) =>
  `DELETE FROM idempotent_answer a USING ${ended} e WHERE a.team_id = e.team_id AND a.actor_id = e.id`;

/** Drops so many of the kept answers that no request gets any more, the oldest first. */
export const dropOld = sqlStatement<{ limit: number }, { n: number }>(
  `WITH dropped AS (
     DELETE FROM idempotent_answer WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM idempotent_answer WHERE created_at < now() - interval '${keptHours} hours' ORDER BY created_at LIMIT $limit
     )) RETURNING 1
   ) SELECT count(*)::int AS n FROM dropped`,
);

export type IdempotentAttempt = {
  request: FastifyRequest;
  team: string;
  actorId: string;
  answers: Answers;
  /** Stands for a body that is not JSON, such as the hash of an uploaded file. */
  fingerprint: string | undefined;
  /** Which of several things that one request changes, each with an answer of its own. */
  part?: string | undefined;
  /** Who the caller was before an answer made them who they are, such as by a session: whether it was this one. */
  before?: { actorId: string; became(answer: unknown): boolean } | undefined;
};

/** Passwords are hashed slowly or not at all: whoever repeats such a request proves them again, or has the same session. */
const leftOut = new Set(['password', 'currentPassword', 'newPassword']);

/** Same method, address and body: the same request. */
function requestText({ request, fingerprint }: IdempotentAttempt): string {
  const body = fingerprint ?? JSON.stringify(request.body ?? null, (member, value: unknown) => (leftOut.has(member) ? undefined : value));
  return `${request.method} ${request.url}\n${body}`;
}

/** The place of an attempt in the store; nothing when it is none that is kept. */
function keyOf({ request, team, actorId: actor, part }: IdempotentAttempt): ResponseKey | undefined {
  const given = request.headers['idempotency-key'];
  if (request.method !== 'POST' || given === undefined) return undefined;
  if (typeof given !== 'string' || given.length < 1 || given.length > 255)
    throw problems.validation_failed('The Idempotency-Key header must be one text of 1 to 255 characters.');
  const own = request.routeOptions.config.showsSecret ? `${request.principal?.sessionId} ${given}` : given;
  // No header holds a line break.
  return { team, actor, key: part === undefined ? own : `${own}\n${part}` };
}

const placeOf = ({ team, actor, key }: ResponseKey) => `${team} ${actor} ${key}`;

type StoredResponse = { found: boolean; answer?: unknown; expired?: boolean };

/** The kept answer to the same request, wrapped, since it may be nothing. Errors: 422 for another request under the key. */
async function keptAnswer(attempt: IdempotentAttempt, key: ResponseKey, db: Reader): Promise<StoredResponse> {
  const kept = await db.first(findAnswer, key);
  if (!kept || kept.expired) return { found: false, expired: kept !== undefined };
  const { answers, request } = attempt;
  if (!equalInConstantTime(answers.fingerprint(requestText(attempt)), kept.fingerprint))
    throw problems.idempotency_key_reused(
      'This Idempotency-Key was used for a request with another body. Use a new key for a new request.',
    );
  request.idempotencyReplayed = true;
  return { found: true, answer: openAnswer(attempt, key, kept.answer) };
}

function openAnswer({ answers }: IdempotentAttempt, key: ResponseKey, sealed: Buffer): unknown {
  const text = answers.open(sealed, placeOf(key));
  return text === '' ? undefined : JSON.parse(text);
}

/** The answer that made the caller who they are, where this is the same request once more; what others sent under the key is none of theirs. */
async function answerBefore(attempt: IdempotentAttempt, key: ResponseKey, db: Reader): Promise<StoredResponse> {
  const { answers, before, request } = attempt;
  if (!before) return { found: false };
  const then = { ...key, actor: before.actorId };
  const kept = await db.first(findAnswer, then);
  if (!kept || kept.expired || !equalInConstantTime(answers.fingerprint(requestText(attempt)), kept.fingerprint)) return { found: false };
  const answer = openAnswer(attempt, then, kept.answer);
  if (!before.became(answer)) return { found: false };
  request.idempotencyReplayed = true;
  return { found: true, answer };
}

/**
 * What an operation does before its transaction, such as to check a code that is good once, is not done for a request that
 * was carried out: that one gets its answer, which {@link withIdempotency} would find too late.
 */
export async function unlessKept<T>(attempt: IdempotentAttempt, db: Reader, work: () => Promise<T>): Promise<T> {
  const key = keyOf(attempt);
  if (!key) return work();
  const kept = await keptAnswer(attempt, key, db);
  return kept.found ? (kept.answer as T) : work();
}

/**
 * Honours `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header) on a POST. The answer is kept in the
 * transaction of the change: after a crash either both are there or neither. Same key and body: the kept answer;
 * same key, other body: 422; still in flight: 409.
 */
export async function withIdempotency<T>(attempt: IdempotentAttempt, db: Transaction, work: () => Promise<T>): Promise<T> {
  const key = keyOf(attempt);
  if (!key) return work();
  const { lock, kept, earlier } = await pipelined({
    lock: () => db.first(tryLock, { lock: placeOf(key) }),
    // Read under the lock: what another request kept meanwhile is there.
    kept: () => keptAnswer(attempt, key, db),
    earlier: () => answerBefore(attempt, key, db),
  });
  // What was kept is committed, whoever has the lock: another that is answered the same may.
  if (kept.found) return kept.answer as T;
  if (earlier.found) return earlier.answer as T;
  if (!lock?.locked)
    throw problems.idempotency_in_progress('A request with this Idempotency-Key is still being carried out. Send it again in a moment.');
  if (kept.expired) await db.all(dropAnswer, key);
  const answer = await work();
  const fingerprint = attempt.answers.fingerprint(requestText(attempt));
  // What gives nothing back has an empty answer.
  const sealed = attempt.answers.seal(JSON.stringify(answer) ?? '', placeOf(key));
  await db.all(keepAnswer, { ...key, fingerprint, answer: sealed });
  return answer;
}

const secretMembers = new Set(['accessToken', 'refreshToken', 'secret', 'clientSecret', 'backupCodes', 'totpUri', 'token', 'access_token']);

/** Whether a schema of an answer names a member that is shown once. */
export function namesSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties } = schema as { properties?: object };
  if (properties && Object.keys(properties).some((member) => secretMembers.has(member))) return true;
  return Object.values(schema).some(namesSecret);
}
