import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { reading, writingPart } from '../../../platform/http/scope.ts';
import { onResponseClose } from '../../../platform/http/on-response-close.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { documentProblems } from '../problems.ts';
import { openNewest } from '../versions.ts';
import { type ArchivedFile, archiveOf } from './archive.ts';
import { errorsName, maxBytes, planDownload, type Plan, tooLarge, type DownloadSelection } from './plan.ts';

/** Maximum concurrent archives of one team on one node. A slow reader keeps an archive open. */
const maxPerTeam = 3;
const activeByTeam = new Map<string, number>();

/** Milliseconds without a read by the client after which an archive ends. */
const stalledMs = 120_000;

/**
 * Sends several documents as one zip archive. Checks access for each file just before it is added, in a separate short transaction that also
 * records the read. Errors: 404, 422 `download_too_large`, 429 `downloads_in_progress`.
 */
export async function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: Storage,
  wanted: DownloadSelection,
): Promise<FastifyReply> {
  const { team } = reading(request);
  takePlace(team);
  onResponseClose(reply, () => leavePlace(team));
  const plan = await planDownload(reading(request), wanted);
  const archive = archiveOf(filesOf(request, storage, plan));
  watch(request, archive);
  return reply
    .headers({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="documents.zip"',
      'cache-control': 'private, no-store',
    })
    .send(archive);
}

function takePlace(team: string): void {
  const taken = activeByTeam.get(team) ?? 0;
  if (taken >= maxPerTeam)
    throw documentProblems.downloads_in_progress(
      `Your team is downloading ${maxPerTeam} archives on this node, which is the maximum. Wait until one has ended.`,
      {
        headers: { 'retry-after': '10' },
      },
    );
  activeByTeam.set(team, taken + 1);
}

function leavePlace(team: string): void {
  const left = (activeByTeam.get(team) ?? 1) - 1;
  if (left > 0) activeByTeam.set(team, left);
  else activeByTeam.delete(team);
}

/** Destroys an archive that the client no longer reads. The connection may stay open much longer. */
function watch({ raw: { socket } }: FastifyRequest, archive: Readable): void {
  let sent = socket.bytesWritten;
  const timer = setInterval(() => {
    if (socket.bytesWritten === sent) archive.destroy(new Error('the client does not read the archive'));
    sent = socket.bytesWritten;
  }, stalledMs);
  archive.once('close', () => clearInterval(timer));
}

async function* filesOf(request: FastifyRequest, storage: Storage, { files, unknown }: Plan): AsyncGenerator<ArchivedFile> {
  const failed = unknown.map((id) => `${id}: not found, or you may not read it.`);
  let bytes = 0;
  for (const { id, path } of files) {
    const opened = await openedFile(request, storage, id, maxBytes - bytes).catch((error: unknown) => {
      const { status, detail } = request.server.problemOf(error, request);
      // After its credential ends, the client reads no more files. The broken response shows that the archive is incomplete.
      if (status === 401) throw error;
      request.server.recordFailure(request, { error, status, message: 'could not read a file of an archive', about: { document: id } });
      failed.push(`${path}: ${detail}`);
    });
    if (!opened) continue;
    bytes += opened.size;
    yield { path, ...opened };
  }
  if (failed.length === 0) return;
  const text = Buffer.from(`Files that could not be read:\n\n${failed.join('\n')}\n`);
  yield { path: errorsName, at: request.server.clock(), size: text.length, source: Readable.from([text]) };
}

async function openedFile(request: FastifyRequest, storage: Storage, id: string, left: number): Promise<Omit<ArchivedFile, 'path'>> {
  const refuse = (size: number): void => {
    if (size > left) throw tooLarge();
  };
  const version = await writingPart(request, (scope) => openNewest(scope, id, refuse));
  return { at: new Date(version.created_at), size: version.size, source: await storage.read(version.storage_key) };
}
