import type { FastifyRequest } from 'fastify';
import { addressBlock, clientIp } from '../../../platform/http/client-ip.ts';
import { requireProof } from '../../../platform/http/proof-of-work.ts';
import { withDefaults } from '../present.ts';
import type { Channel } from '../schemas.ts';
import { findSession, proofOptions, sessionToken } from '../submit/index.ts';
import { type Link, requireOpen, visit, type Visited } from '../visitor.ts';
import type { Uploading } from './context.ts';
import { uploadProblems } from './problems.ts';

const mebibyte = 1024 * 1024;

/** The result of the checks before a file is read: the accepted types, the maximum size, and the proof of work for a new session. */
export type Admitted = {
  visited: Visited;
  accept: readonly string[];
  maxBytes: number;
  proof: { id: Buffer; expiresAt: Date } | undefined;
};

const admissions = new WeakMap<FastifyRequest, Promise<Admitted>>();

/**
 * Checks whether a file is accepted, before any of it is stored. The form fields before the file are known at this time. Throws 400
 * `altcha_…`, 404 `interface_not_found`, `uploads_disabled`, 409 `interface_full`, 410, 429.
 */
export function admit(request: FastifyRequest, channel: Channel, context: Uploading, fields: Record<string, unknown>): Promise<Admitted> {
  const known = admissions.get(request);
  if (known) return known;
  const admitted = look(request, { channel, token: (request.params as { token: string }).token }, context, fields);
  admissions.set(request, admitted);
  return admitted;
}

async function look(request: FastifyRequest, link: Link, context: Uploading, fields: Record<string, unknown>): Promise<Admitted> {
  const { server } = request;
  const { database } = server;
  const { rates, perAddress } = context;
  rates.spend(`upload ${addressBlock(clientIp(request))} ${link.token}`, perAddress, 'This form accepts from your address', {
    things: 'files',
  });
  const visited = await visit(database, link);
  const now = server.clock();
  requireOpen(visited, now);
  const { definition, team } = visited;
  const signs = definition.fields.some(({ type }) => type === 'signature');
  if (!signs && !definition.fields.some(({ type }) => type === 'file'))
    throw uploadProblems.uploads_disabled('This form has no field for files, so it accepts no files.');
  server.spendWrite(team);
  const { requireAltcha, uploads } = withDefaults(definition).config;
  const begins =
    link.channel === 'public' && (await findSession({ db: database.reader(team) }, visited, sessionToken(request))) === undefined;
  return {
    visited,
    // A drawn signature is an image.
    accept: signs ? [...uploads.accept, 'image/png'] : uploads.accept,
    maxBytes: Math.min(uploads.maxSizeMb * mebibyte, context.maxUploadBytes),
    proof: begins && requireAltcha ? await requireProof(fields.altcha, proofOptions(context, visited, now)) : undefined,
  };
}
