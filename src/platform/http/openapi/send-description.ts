import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendStaticFile, type StaticFile, staticFile } from '../compression.ts';

export const descriptionFile = (description: object): StaticFile =>
  staticFile('application/json', Buffer.from(JSON.stringify(description)));

/** Sends a description, with CORS for all origins, or 304 if the client has this version. */
export function sendDescription(request: FastifyRequest, reply: FastifyReply, file: StaticFile): Promise<FastifyReply> {
  return sendStaticFile(request, reply.headers({ 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' }), file);
}
