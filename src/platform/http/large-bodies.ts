import type { FastifyRequest } from 'fastify';
import { yieldToEventLoop } from '../yield.ts';
import { addressBlock, clientIp } from './client-ip.ts';

/** Maximum size in bytes of a body that needs no turn, because it is processed fast enough. */
const smallBytes = 32 * 1024;

/**
 * Waits for a turn if a body is so large that its processing delays other requests. In each pass of the event loop only one large body is processed,
 * and teams take turns. Without authentication the IP address replaces the team.
 */
export function turnFor(request: FastifyRequest, bytes: number): Promise<void> | undefined {
  if (bytes <= smallBytes) return undefined;
  return yieldToEventLoop(request.principal?.team ?? addressBlock(clientIp(request))).next();
}
