import { type Logger, pino } from 'pino';

/** Structured logs on standard output. What could be a secret is cut out, wherever it is logged from. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        // What parts we use log of a request, such as the multipart parser at its most talkative.
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
    serializers: {
      // The text of a statement and its error are useful; the values in `detail` are somebody's data.
      err: (error: Error & { code?: string; constraint?: string }) => ({
        type: error.name,
        message: error.message,
        ...(error.code === undefined ? {} : { code: error.code }),
        ...(error.constraint === undefined ? {} : { constraint: error.constraint }),
        stack: error.stack,
      }),
    },
  });
}
