import { pino } from 'pino';
import { createServer } from '../src/platform/http/server.ts';

/** The HTTP server alone, with nothing behind it: no database, no credentials, no limits of requests. */
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
