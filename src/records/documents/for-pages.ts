import type { FastifyRequest } from 'fastify';
import type { KeptFile } from '../../platform/http/downloads.ts';
import { principalOf, reading, writing } from '../../platform/http/scope.ts';
import { Problem } from '../../platform/problems.ts';
import { type ReadScope, isTeamManager, type Scope } from '../../platform/scope.ts';
import { findPreview, openPreview } from './preview/index.ts';
import { openVersion, versionOfTask } from './versions.ts';

/** A version of a document as a page shows it. */
export type ShownVersion = { title: string; number: number; fileName: string; mediaType: string; size: number; hasPreview: boolean };

/** The document of a task and the version that a page shows; by default the newest. */
export type DocumentOfTask = Parameters<typeof versionOfTask>[1];

/** The use cases of documents for the server’s pages. `request.principal` is the person. Each rejects with the problems of its operation. */
export type DocumentsForPages = {
  /** Returns the version. Returns undefined if the person may not read it or it has no file. */
  show(request: FastifyRequest, of: DocumentOfTask): Promise<ShownVersion | undefined>;
  /** Returns the file of a version. The journal records the reader. */
  content(request: FastifyRequest, of: DocumentOfTask): Promise<KeptFile>;
  /** Returns the image of the first page, if there is one. */
  preview(request: FastifyRequest, of: DocumentOfTask): Promise<KeptFile | undefined>;
};

async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}

export const documentsForPages: DocumentsForPages = {
  async show(request, of) {
    const found = await unlessRefused(versionOfTask(reading(request), of));
    if (!found) return undefined;
    const { document, version } = found;
    const { db, team } = reading(request);
    const preview = await db.first(findPreview, { team, document: document.id, version: version.number });
    return {
      title: document.title,
      number: version.number,
      fileName: version.file_name,
      mediaType: version.media_type,
      size: version.size,
      hasPreview: preview?.status === 'ready',
    };
  },

  content: (request, of) => writing(request, async (scope) => openVersion(scope, await versionOfTask(scope, of))),

  preview(request, of) {
    const open = async (scope: ReadScope | Scope) => openPreview(scope, await versionOfTask(scope, of));
    // The journal records reads by role alone.
    return unlessRefused(isTeamManager(principalOf(request).actor) ? writing(request, open) : open(reading(request)));
  },
};
