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
export type ResponseCipher = {
  seal(response: string, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): string;
  /** Returns the stored form of a request: a keyed hash. */
  fingerprint(request: string): Buffer;
};

const responsePurpose = 'idempotent-answers';

/** Encrypts stored responses with keys from the master key, so that access to the database alone discloses nothing. */
export function createResponseCipher(masterKey: MasterKey): ResponseCipher {
  const box = masterKey.box(responsePurpose);
  const key = masterKey.lasting('idempotent-requests');
  return {
    seal: (response, boundTo) => box.seal(response, boundTo),
    open: (sealed, boundTo) => box.open(sealed, boundTo).toString(),
    fingerprint: (request) => createHmac('sha256', key).update(request).digest(),
  };
}

/** The encrypted column of stored responses. */
export const sealedResponses: SealedColumn = {
  table: 'idempotent_response',
  column: 'response',
  key: { team_id: 'uuid', actor_id: 'uuid', key: 'text' },
  purpose: responsePurpose,
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

const storageHours = 24;

const tryLock = sqlStatement<{ lock: string }, { locked: boolean }>(
  'SELECT pg_try_advisory_xact_lock(hashtextextended($lock, 0)) AS locked',
);

type ResponseKey = { team: string; actor: string; key: string };

const findResponse = sqlStatement<ResponseKey, { fingerprint: Buffer; response: Buffer; expired: boolean }>(
  `SELECT fingerprint, response, created_at < now() - interval '${storageHours} hours' AS expired
   FROM idempotent_response WHERE team_id = $team AND actor_id = $actor AND key = $key`,
);

const deleteResponse = sqlStatement<ResponseKey, never>(
  'DELETE FROM idempotent_response WHERE team_id = $team AND actor_id = $actor AND key = $key',
);

const insertResponse = sqlStatement<ResponseKey & { fingerprint: Buffer; response: Buffer }, never>(
  `INSERT INTO idempotent_response (team_id, actor_id, key, fingerprint, response) VALUES ($team, $actor, $key, $fingerprint, $response)`,
);

/** Deletes the stored responses of a member who leaves a team, so that the member does not get them after joining again. */
export const deleteResponsesOf = sqlStatement<{ team: string; id: string }, never>(
  'DELETE FROM idempotent_response WHERE team_id = $team AND actor_id = $id',
);

/** Returns SQL that deletes the stored responses of the rows in the CTE `ended`, with `team_id` and `id`. */
export const deleteResponsesOfSql = (ended: string) =>
  `DELETE FROM idempotent_response a USING ${ended} e WHERE a.team_id = e.team_id AND a.actor_id = e.id`;

/** Deletes expired responses, oldest first, at most `limit`. */
export const deleteExpired = sqlStatement<{ limit: number }, { n: number }>(
  `WITH dropped AS (
     DELETE FROM idempotent_response WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM idempotent_response WHERE created_at < now() - interval '${storageHours} hours' ORDER BY created_at LIMIT $limit
     )) RETURNING 1
   ) SELECT count(*)::int AS n FROM dropped`,
);

export type IdempotentAttempt = {
  request: FastifyRequest;
  team: string;
  actorId: string;
  cipher: ResponseCipher;
  /** Replaces the body if it is not JSON, for example the hash of an uploaded file. */
  fingerprint: string | undefined;
  /** Distinguishes several resources in one request. Each has its own response. */
  part?: string | undefined;
  /** The identity of the caller before the response changed it, for example by a new session. The check returns whether this response changed it. */
  before?: { actorId: string; became(response: unknown): boolean } | undefined;
};

/**
 * Members that are excluded from the fingerprint: passwords, because their hash would be slow or unsafe. A repeated request verifies them again, or
 * has the same session.
 */
const excluded = new Set(['password', 'currentPassword', 'newPassword']);

/** Returns the text to compare: requests with the same method, URL and body are equal. */
function requestText({ request, fingerprint }: IdempotentAttempt): string {
  const body = fingerprint ?? JSON.stringify(request.body ?? null, (member, value: unknown) => (excluded.has(member) ? undefined : value));
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

type StoredResponse = { found: boolean; response?: unknown; expired?: boolean };

/**
 * Returns the stored response to the same request, in a wrapper object, because the response can be undefined. Throws 422 for another request under
 * the key.
 */
async function storedResponse(attempt: IdempotentAttempt, key: ResponseKey, db: Reader): Promise<StoredResponse> {
  const stored = await db.first(findResponse, key);
  if (!stored || stored.expired) return { found: false, expired: stored !== undefined };
  const { cipher, request } = attempt;
  if (!equalInConstantTime(cipher.fingerprint(requestText(attempt)), stored.fingerprint))
    throw problems.idempotency_key_reused(
      'This Idempotency-Key was used for a request with another body. Use a new key for a new request.',
    );
  request.idempotencyReplayed = true;
  return { found: true, response: decryptResponse(attempt, key, stored.response) };
}

function decryptResponse({ cipher }: IdempotentAttempt, key: ResponseKey, sealed: Buffer): unknown {
  const text = cipher.open(sealed, placeOf(key));
  return text === '' ? undefined : JSON.parse(text);
}

/** Returns the response that gave the caller its current identity, if this is the same request. Ignores responses to other requests with this key. */
async function earlierResponse(attempt: IdempotentAttempt, key: ResponseKey, db: Reader): Promise<StoredResponse> {
  const { cipher, before, request } = attempt;
  if (!before) return { found: false };
  const then = { ...key, actor: before.actorId };
  const stored = await db.first(findResponse, then);
  if (!stored || stored.expired || !equalInConstantTime(cipher.fingerprint(requestText(attempt)), stored.fingerprint))
    return { found: false };
  const response = decryptResponse(attempt, then, stored.response);
  if (!before.became(response)) return { found: false };
  request.idempotencyReplayed = true;
  return { found: true, response };
}

/**
 * Runs work that precedes the transaction, such as checking a single-use code, unless the request was already executed.
 * In that case returns its stored response. {@link withIdempotency} alone would run too late.
 */
export async function unlessStored<T>(attempt: IdempotentAttempt, db: Reader, work: () => Promise<T>): Promise<T> {
  const key = keyOf(attempt);
  if (!key) return work();
  const stored = await storedResponse(attempt, key, db);
  return stored.found ? (stored.response as T) : work();
}

/**
 * Implements `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header) for POST. The response is stored in the transaction of the change, so
 * after a crash either both exist or neither does. For the same key and body it returns the stored response. For another body it returns 422, and
 * while the first request is in progress 409.
 */
export async function withIdempotency<T>(attempt: IdempotentAttempt, db: Transaction, work: () => Promise<T>): Promise<T> {
  const key = keyOf(attempt);
  if (!key) return work();
  const { lock, stored, earlier } = await pipelined({
    lock: () => db.first(tryLock, { lock: placeOf(key) }),
    // Read under the lock, so that it includes responses of concurrent requests.
    stored: () => storedResponse(attempt, key, db),
    earlier: () => earlierResponse(attempt, key, db),
  });
  // A stored response is committed, even if another request holds the lock.
  if (stored.found) return stored.response as T;
  if (earlier.found) return earlier.response as T;
  if (!lock?.locked)
    throw problems.idempotency_in_progress('A request with this Idempotency-Key is in progress. Send it again in a moment.');
  if (stored.expired) await db.all(deleteResponse, key);
  const response = await work();
  const fingerprint = attempt.cipher.fingerprint(requestText(attempt));
  // A result of undefined has an empty response.
  const sealed = attempt.cipher.seal(JSON.stringify(response) ?? '', placeOf(key));
  await db.all(insertResponse, { ...key, fingerprint, response: sealed });
  return response;
}

const secretMembers = new Set(['accessToken', 'refreshToken', 'secret', 'clientSecret', 'backupCodes', 'totpUri', 'token', 'access_token']);

/** Returns whether a response schema has a member that is shown once. */
export function namesSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties } = schema as { properties?: object };
  if (properties && Object.keys(properties).some((member) => secretMembers.has(member))) return true;
  return Object.values(schema).some(namesSecret);
}
