import type { FastifyRequest } from 'fastify';
import { yieldToEventLoop } from '../yield.ts';
import { addressBlock, clientIp } from './client-ip.ts';

/** What is read and checked sooner than anybody notices. */
const smallBytes = 32 * 1024;

/**
 * Waits for a turn where a body is so large that reading and checking it keeps others waiting: of many that come at once one is looked
 * at between two passes of the event loop, and the teams take turns; who has proven nothing stands in by the address.
 */
export function turnFor(request: FastifyRequest, bytes: number): Promise<void> | undefined {
  if (bytes <= smallBytes) return undefined;
  return yieldToEventLoop(request.principal?.team ?? addressBlock(clientIp(request))).next();
}
