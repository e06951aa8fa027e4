import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { MasterKey } from '../crypto/master-key.ts';
import { equalInConstantTime } from '../crypto/tokens.ts';
import type { Reader, Transaction } from '../database/database.ts';
import type { SealedColumn } from '../database/reencrypt.ts';
import { sqlStatement } from '../database/statement.ts';
import { problems } from '../problems.ts';
import { pipelined } from '../database/pipelined.ts';

/** Encrypts stored responses, bound to their key, because some contain a secret that is shown once. */
export type Answers = {
  seal(answer: string, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): string;
  /** Returns the stored form of a request: a keyed hash. */
  fingerprint(request: string): Buffer;
};

const answerPurpose = 'idempotent-answers';

/** Uses keys of the master key, so that access to the database alone discloses nothing. */
export function keptAnswers(masterKey: MasterKey): Answers {
  const box = masterKey.box(answerPurpose);
  const key = masterKey.lasting('idempotent-requests');
  return {
    seal: (answer, boundTo) => box.seal(answer, boundTo),
    open: (sealed, boundTo) => box.open(sealed, boundTo).toString(),
    fingerprint: (request) => createHmac('sha256', key).update(request).digest(),
  };
}

/** The encrypted column of stored responses. */
export const sealedAnswers: SealedColumn = {
  table: 'idempotent_answer',
  column: 'answer',
  key: { team_id: 'uuid', actor_id: 'uuid', key: 'text' },
  purpose: answerPurpose,
  boundTo: ({ team_id: team = '', actor_id: actor = '', key = '' }) => placeOf({ team, actor, key }),
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a replayed response. The server adds `Idempotency-Replayed: true`. */
    idempotencyReplayed: boolean;
  }
  interface FastifyContextConfig {
    /** Whether the response contains a secret that is shown once. It is replayed only to the same session. Derived from the schemas. */
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

/** Deletes the stored responses of a member who leaves a team, so that they get none of them after a return. */
export const dropAnswersOf = sqlStatement<{ team: string; id: string }, never>(
  'DELETE FROM idempotent_answer WHERE team_id = $team AND actor_id = $id',
);

/** Returns SQL that deletes the stored responses of the rows in the CTE `ended`, with `team_id` and `id`. */
export const dropAnswersOfText = (ended: string) =>
  `DELETE FROM idempotent_answer a USING ${ended} e WHERE a.team_id = e.team_id AND a.actor_id = e.id`;

/** Deletes expired responses, oldest first, at most `limit`. */
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
  /** Replaces the body if it is not JSON, for example the hash of an uploaded file. */
  fingerprint: string | undefined;
  /** Distinguishes several resources in one request. Each has its own response. */
  part?: string | undefined;
  /** The identity of the caller before the response changed it, for example by a new session, and a check whether this response did so. */
  before?: { actorId: string; became(answer: unknown): boolean } | undefined;
};

/** Passwords are excluded: hashing them is slow or unsafe. A repeated request verifies them again, or has the same session. */
const leftOut = new Set(['password', 'currentPassword', 'newPassword']);

/** Returns the text to compare: requests with the same method, URL and body are equal. */
function requestText({ request, fingerprint }: IdempotentAttempt): string {
  const body = fingerprint ?? JSON.stringify(request.body ?? null, (member, value: unknown) => (leftOut.has(member) ? undefined : value));
  return `${request.method} ${request.url}\n${body}`;
}

/** Returns the storage key of an attempt; undefined if its response is not stored. */
function keyOf({ request, team, actorId: actor, part }: IdempotentAttempt): ResponseKey | undefined {
  const given = request.headers['idempotency-key'];
  if (request.method !== 'POST' || given === undefined) return undefined;
  if (typeof given !== 'string' || given.length < 1 || given.length > 255)
    throw problems.validation_failed('The Idempotency-Key header must be one text of 1 to 255 characters.');
  const own = request.routeOptions.config.showsSecret ? `${request.principal?.sessionId} ${given}` : given;
  // Headers cannot contain a line break.
  return { team, actor, key: part === undefined ? own : `${own}\n${part}` };
}

const placeOf = ({ team, actor, key }: ResponseKey) => `${team} ${actor} ${key}`;

type StoredResponse = { found: boolean; answer?: unknown; expired?: boolean };

/** Returns the stored response to the same request, in a wrapper, because it can be undefined. Throws 422 for another request under the key. */
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

/** Returns the response that gave the caller its current identity, if this is the same request. Responses to others under the key are ignored. */
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
 * Runs work that precedes the transaction, such as checking a single-use code, unless the request was already executed.
 * In that case returns its stored response. {@link withIdempotency} alone would run too late.
 */
export async function unlessKept<T>(attempt: IdempotentAttempt, db: Reader, work: () => Promise<T>): Promise<T> {
  const key = keyOf(attempt);
  if (!key) return work();
  const kept = await keptAnswer(attempt, key, db);
  return kept.found ? (kept.answer as T) : work();
}

/**
 * Implements `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header) for POST. The response is stored in the
 * transaction of the change, so both exist after a crash or neither. Same key and body: the stored response;
 * same key, other body: 422; request in flight: 409.
 */
export async function withIdempotency<T>(attempt: IdempotentAttempt, db: Transaction, work: () => Promise<T>): Promise<T> {
  const key = keyOf(attempt);
  if (!key) return work();
  const { lock, kept, earlier } = await pipelined({
    lock: () => db.first(tryLock, { lock: placeOf(key) }),
    // Read under the lock, so that it includes responses of concurrent requests.
    kept: () => keptAnswer(attempt, key, db),
    earlier: () => answerBefore(attempt, key, db),
  });
  // A stored response is committed, even if another request holds the lock.
  if (kept.found) return kept.answer as T;
  if (earlier.found) return earlier.answer as T;
  if (!lock?.locked)
    throw problems.idempotency_in_progress('A request with this Idempotency-Key is in progress. Send it again in a moment.');
  if (kept.expired) await db.all(dropAnswer, key);
  const answer = await work();
  const fingerprint = attempt.answers.fingerprint(requestText(attempt));
  // A result of undefined has an empty response.
  const sealed = attempt.answers.seal(JSON.stringify(answer) ?? '', placeOf(key));
  await db.all(keepAnswer, { ...key, fingerprint, answer: sealed });
  return answer;
}

const secretMembers = new Set(['accessToken', 'refreshToken', 'secret', 'clientSecret', 'backupCodes', 'totpUri', 'token', 'access_token']);

/** Returns whether a response schema has a member that is shown once. */
export function namesSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties } = schema as { properties?: object };
  if (properties && Object.keys(properties).some((member) => secretMembers.has(member))) return true;
  return Object.values(schema).some(namesSecret);
}
