import type { FastifyRequest } from 'fastify';
import type { KeptFile } from '../platform/http/downloads.ts';
import { principalOf, reading, writing } from '../platform/http/scope.ts';
import { Problem } from '../platform/problems.ts';
import { runsTeam } from '../platform/scope.ts';
import { findPreview, openPreview } from './preview/index.ts';
import { openContent, versionOf } from './versions.ts';

/** A version of a document as a page names it. */
export type ShownVersion = { title: string; number: number; fileName: string; mediaType: string; size: number; hasPreview: boolean };

/** The use cases of documents for the server's own pages. `request.principal` is the person. Each rejects with the problems of its operation. */
export type DocumentsForPages = {
  /** The newest version, or `number`; undefined where the person may not read it, or it has no file. */
  show(request: FastifyRequest, id: string, number: number | undefined): Promise<ShownVersion | undefined>;
  /** The file of a version. The journal records who opens it. */
  content(request: FastifyRequest, id: string, number: number | undefined): Promise<KeptFile>;
  /** The picture of the first page; undefined where there is none. */
  preview(request: FastifyRequest, id: string, number: number | undefined): Promise<KeptFile | undefined>;
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
  async show(request, id, number) {
    const found = await unlessRefused(versionOf(reading(request), id, number));
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

  content: (request, id, number) => writing(request, (scope) => openContent(scope, id, number)),

  preview(request, id, number) {
    // The journal records access by the role alone.
    const isRecorded = runsTeam(principalOf(request).actor);
    return unlessRefused(
      isRecorded ? writing(request, (scope) => openPreview(scope, id, number)) : openPreview(reading(request), id, number),
    );
  },
};
