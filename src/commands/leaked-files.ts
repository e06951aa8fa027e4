import process from 'node:process';
import type { Logger } from 'pino';

/**
 * Logs an error when the garbage collector finds an unclosed `FileHandle`. Node.js has closed the file by then, but would end the
 * process with ERR_INVALID_STATE. A client that triggers such a leak must not stop the service for others. Any other uncaught
 * exception still ends the process.
 */
export function ignoreLeakedFileErrors(log: Pick<Logger, 'error'>): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_INVALID_STATE' && error.message.includes('FileHandle')) {
      log.error({ err: error }, 'a file was left open: report this bug');
      return;
    }
    process.stderr.write(`${error.stack ?? String(error)}\n`);
    process.exit(1);
  });
}
