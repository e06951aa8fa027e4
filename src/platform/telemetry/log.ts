import { type Logger, pino } from 'pino';
import { causesOf } from '../errors.ts';
import { workIds } from './tracing.ts';

type LoggedError = Error & { code?: string; constraint?: string };

/** Omits `detail`, which contains values of rows. */
const membersOf = ({ name, message, code, constraint, stack }: LoggedError) => ({
  type: name,
  message,
  ...(code === undefined ? {} : { code }),
  ...(constraint === undefined ? {} : { constraint }),
  stack,
});

/** Describes an error with all its causes. */
function describeError(error: LoggedError) {
  const [, ...causes] = causesOf(error);
  return { ...membersOf(error), ...(causes.length === 0 ? {} : { causes: causes.map(membersOf) }) };
}

/** Creates a logger for structured logs on standard output. Secrets are redacted in all log entries. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    mixin: workIds,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        // Libraries can log a request, for example the multipart parser at its most verbose level.
        '*.headers.authorization',
        '*.headers.cookie',
        'headers.authorization',
        'headers.cookie',
        'password',
        'token',
        'secret',
        'refreshToken',
        'accessToken',
        '*.password',
        '*.token',
        '*.secret',
        '*.refreshToken',
        '*.accessToken',
        'err.parameters',
        'err.where',
      ],
      censor: '[redacted]',
    },
    serializers: { err: describeError },
  });
}
