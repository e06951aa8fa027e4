import type { FastifyRequest } from 'fastify';
import { yieldToEventLoop } from '../yield.ts';
import { addressBlock, clientIp } from './client-ip.ts';

/** Bodies up to this size are processed fast enough. */
const smallBytes = 32 * 1024;

/**
 * Waits for a turn if a body is so large that its processing delays other requests. One large body is processed
 * between two passes of the event loop, and teams take turns. Without authentication the IP address replaces the team.
 */
export function turnFor(request: FastifyRequest, bytes: number): Promise<void> | undefined {
  if (bytes <= smallBytes) return undefined;
  return yieldToEventLoop(request.principal?.team ?? addressBlock(clientIp(request))).next();
}
