import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { problems } from '../problems.ts';
import type { VersionCheck, Versioned } from '../versioned.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The version of the thing that the answer shows; see {@link withEtag}. */
    shownVersion: number | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the answer is one thing, which is tagged and not sent again to who has it. Read from the schemas. */
    showsOneThing?: boolean;
    /** Whether the operation compares `If-Match`, which its description says then. */
    takesIfMatch?: boolean;
  }
}

/** Answers with one thing. The tag of the answer begins with its version, if it has one, for `If-Match`. */
export async function withEtag<T>(reply: FastifyReply, thing: Promise<Versioned<T>>): Promise<T> {
  const { value, version } = await thing;
  reply.shownVersion = version;
  return value;
}

/**
 * Compares `If-Match` with the version there is (RFC 9110 §13.1.1): without the header nothing is asked; weak tags never
 * match. What the tag says besides the version is not compared: that somebody else sees more of a thing, or that a folder has
 * one more document, is no reason to refuse a change. Returns the comparison, so that the service can make it under the lock
 * of the row.
 */
export function ifMatch(request: FastifyRequest): VersionCheck {
  if (request.routeOptions.config?.takesIfMatch !== true)
    throw new Error(`${request.method} ${request.routeOptions.url} compares If-Match and does not say so: add config.takesIfMatch`);
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return () => undefined;
  const versions = header.split(',').map((tag) => /^"(\d+)(?:-[\w-]+)?"$/.exec(tag.trim())?.[1]);
  return (version) => {
    if (versions.includes(String(version))) return;
    throw problems.precondition_failed('The resource changed after you read it. Read it again and repeat the change.');
  };
}

/** The tags that a header lists. */
export const etagList = (header = ''): string[] => header.split(',').map((tag) => tag.trim());

/** A tag without what compression adds to it. */
export const plainTag = (tag: string): string => tag.replace(/-(?:br|gzip)"$/, '"');

/** Whether `If-None-Match` names this tag; it compares weakly (RFC 9110 §13.1.2). */
export function isKnownTo(request: FastifyRequest, tag: string): boolean {
  return etagList(request.headers['if-none-match']).some((known) => ['*', tag, `W/${tag}`].includes(plainTag(known)));
}

/** Marks the routes that answer with one thing: a JSON object, to who is signed in. */
export function markOneThing(route: RouteOptions): void {
  const shown = (route.schema?.response as Record<string, { type?: string }> | undefined)?.['200'];
  const signedIn = route.config?.access?.kind === 'user' || route.config?.access?.kind === 'staff';
  if (signedIn && shown?.type === 'object' && [route.method].flat().every((method) => method === 'GET' || method === 'HEAD'))
    route.config = { ...route.config, showsOneThing: true };
}

/** What is said in a tag about what the caller is shown: it differs where that does, whatever the reason. */
const fingerprint = (shown: string) => hash('sha256', shown, 'base64url').slice(0, 16);

/**
 * Tags what is one thing: by its version, where it has one, and by what is shown. A thing that the caller has as it is now is
 * answered with 304 instead (RFC 9110 §15.4.5).
 */
export function tagAnswers(app: App): void {
  app.decorateReply('shownVersion', undefined);
  app.addHook('onSend', (request, reply, payload, done) => {
    const { shownVersion } = reply;
    const reads = request.routeOptions.config?.showsOneThing === true;
    if (typeof payload !== 'string' || reply.statusCode >= 300 || (shownVersion === undefined && !reads)) return done(null, payload);
    const tag = `"${shownVersion === undefined ? '' : `${shownVersion}-`}${fingerprint(payload)}"`;
    reply.header('etag', tag);
    if (!reads || !isKnownTo(request, tag)) return done(null, payload);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return done(null, '');
  });
}
