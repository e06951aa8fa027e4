import { randomUUIDv7 } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Directories } from '../context.ts';
import { logRequest } from '../queries.ts';

/** Details of a request in the log of a directory, besides method, path and status. */
type Note = { attributes?: readonly string[]; scimType?: string | undefined; detail?: string };

const maxAttributes = 100;
const maxText = 300;

/** Logs the requests of directories, without the values that they contain. */
export class RequestLog {
  readonly #dirs: Directories;
  readonly #notes = new WeakMap<FastifyRequest, Note>();

  constructor(dirs: Directories) {
    this.#dirs = dirs;
  }

  note(request: FastifyRequest, note: Note): void {
    this.#notes.set(request, { ...this.#notes.get(request), ...note });
  }

  /** Writes the request before its response is sent. A failure does not change the response. */
  async write(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { principal } = request;
    if (principal?.actor.type !== 'directory' || principal.team === undefined) return;
    const { attributes = [], scimType = null, detail = null } = this.#notes.get(request) ?? {};
    const { team } = principal;
    const row = {
      team,
      directory: principal.actor.id,
      token: principal.sessionId,
      id: randomUUIDv7(),
      at: this.#dirs.clock(),
      method: request.method,
      path: (request.url.split('?', 1)[0] ?? '').slice(0, maxText),
      status: reply.statusCode,
      scimType,
      detail: detail === null ? null : detail.slice(0, maxText),
      attributes: attributes.slice(0, maxAttributes),
      requestId: request.id,
    };
    try {
      await this.#dirs.database.inTeam(team, async (db) => void (await db.all(logRequest, row)));
    } catch (error) {
      request.log.warn({ err: error }, 'failed to log a request of a directory');
    }
  }
}
