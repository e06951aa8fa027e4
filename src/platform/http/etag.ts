import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { problems } from '../problems.ts';
import type { VersionCheck, Versioned } from '../versioned.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The version of the resource in the response; see {@link withEtag}. */
    shownVersion: number | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the response is a single resource, which has an entity tag and supports 304. Derived from the schemas. */
    returnsSingleResource?: boolean;
    /** Whether the operation compares `If-Match`. Its description then has this header. */
    requiresIfMatch?: boolean;
  }
}

/** Returns a single resource. The entity tag starts with its version, if it has one, for `If-Match`. */
export async function withEtag<T>(reply: FastifyReply, thing: Promise<Versioned<T>>): Promise<T> {
  const { value, version } = await thing;
  reply.shownVersion = version;
  return value;
}

/**
 * Returns a check that compares `If-Match` with the current version (RFC 9110 §13.1.1). Without the header it accepts any version; weak tags never
 * match. Only the version part of the tag is compared. Only a new version is a reason to reject a change, and not a different view of the resource.
 * The service runs the check while it holds the lock of the row.
 */
export function ifMatch(request: FastifyRequest): VersionCheck {
  if (request.routeOptions.config?.requiresIfMatch !== true)
    throw new Error(`${request.method} ${request.routeOptions.url} compares If-Match without config.requiresIfMatch; add it to the route`);
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return () => undefined;
  const versions = header.split(',').map((tag) => /^"(\d+)(?:-[\w-]+)?"$/.exec(tag.trim())?.[1]);
  return (version) => {
    if (versions.includes(String(version))) return;
    throw problems.precondition_failed('The resource changed after you read it. Read it again and repeat the change.');
  };
}

/** Returns the entity tags of a header. */
export const etagList = (header = ''): string[] => header.split(',').map((tag) => tag.trim());

/** Returns an entity tag without the suffix of compression. */
export const plainTag = (tag: string): string => tag.replace(/-(?:br|gzip)"$/, '"');

/** Returns whether `If-None-Match` contains this tag, with weak comparison (RFC 9110 §13.1.2). */
export function isKnownTo(request: FastifyRequest, tag: string): boolean {
  return etagList(request.headers['if-none-match']).some((known) => ['*', tag, `W/${tag}`].includes(plainTag(known)));
}

/** Marks the routes that return a single resource: a JSON object for an authenticated caller. */
export function markSingleResource(route: RouteOptions): void {
  const shown = (route.schema?.response as Record<string, { type?: string }> | undefined)?.['200'];
  const signedIn = route.config?.access?.kind === 'user' || route.config?.access?.kind === 'staff';
  if (signedIn && shown?.type === 'object' && [route.method].flat().every((method) => method === 'GET' || method === 'HEAD'))
    route.config = { ...route.config, returnsSingleResource: true };
}

/** Returns the hash of the response body for the entity tag. */
const fingerprint = (shown: string) => hash('sha256', shown, 'base64url').slice(0, 16);

/**
 * Adds entity tags to single resources: the version, if there is one, and a hash of the body. Returns 304
 * if the caller has the current version (RFC 9110 §15.4.5).
 */
export function tagAnswers(app: App): void {
  app.decorateReply('shownVersion', undefined);
  app.addHook('onSend', (request, reply, payload, done) => {
    const { shownVersion } = reply;
    const reads = request.routeOptions.config?.returnsSingleResource === true;
    if (typeof payload !== 'string' || reply.statusCode >= 300 || (shownVersion === undefined && !reads)) return done(null, payload);
    const tag = `"${shownVersion === undefined ? '' : `${shownVersion}-`}${fingerprint(payload)}"`;
    reply.header('etag', tag);
    if (!reads || !isKnownTo(request, tag)) return done(null, payload);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return done(null, '');
  });
}
