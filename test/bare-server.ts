import { pino } from 'pino';
import { createServer } from '../src/platform/http/server.ts';

/** Creates the HTTP server alone: without a database, credentials and request limits. */
export const bareServer = (more: Partial<Parameters<typeof createServer>[0]> = {}) =>
  createServer({
    baseUrl: 'http://localhost',
    logger: pino({ level: 'silent' }),
    corsOrigins: [],
    trustedProxies: [],
    requestsPerMinute: 0,
    verifyToken: () => undefined,
    errorMappings: [],
    requestTimeoutMs: 60_000,
    ...more,
  });
