import { Type } from 'typebox';
import { problems } from '../../../platform/problems.ts';
import type { App } from '../../../platform/http/server.ts';
import { publishedCheckpoint } from '../evidence/service.ts';
import { loadTiles } from './proofs.ts';
import { bundleLevel, hashBytes, parseTilePath, tileKey, tileWidth } from './tiles.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const open = { access: { kind: 'public' } } as const;
const tags = ['Audit'];
const anyOrigin = { 'access-control-allow-origin': '*' };
const noTile = () =>
  problems.not_found('Tile not found. Request `tile/<level>/<index>` as in C2SP tlog-tiles, up to the size of the checkpoint.');

/** Routes of the tree under `/tlog` for clients of C2SP tlog-tiles. They serve only hashes, no entries. */
export function tlogRoutes(app: App): void {
  app.get(
    '/tlog/checkpoint',
    {
      config: open,
      schema: {
        operationId: 'getTlogCheckpoint',
        summary: 'Read the signed checkpoint (C2SP tlog-checkpoint)',
        tags,
        produces: ['text/plain'],
      },
    },
    async (_request, reply) => {
      const { note } = await app.database.withoutTeam((tx) => publishedCheckpoint(tx));
      return reply.headers({ ...anyOrigin, 'cache-control': 'public, max-age=1', 'content-type': 'text/plain; charset=utf-8' }).send(note);
    },
  );

  app.get(
    '/tlog/tile/*',
    {
      config: open,
      schema: {
        operationId: 'getTlogTile',
        summary: 'Read a tile or entry bundle (C2SP tlog-tiles)',
        tags,
        produces: ['application/octet-stream'],
        params: Type.Object({
          '*': Type.String({ description: '`<level>/<index>` or `entries/<index>`, each with `.p/<width>` when partial' }),
        }),
      },
    },
    async (request, reply) => {
      const id = parseTilePath(request.params['*']);
      if (!id) throw noTile();
      const bytes = await app.database.withoutTeam(async (tx) => {
        const {
          publishedCheckpoint: { checkpoint },
          tiles,
        } = await pipelined({
          publishedCheckpoint: () => publishedCheckpoint(tx),
          tiles: () => loadTiles(tx, [id]),
        });
        const end = (id.n * tileWidth + id.width) * tileWidth ** Math.max(id.level, 0);
        // Readers get no hashes beyond the published checkpoint.
        return end <= checkpoint.size ? tiles.get(tileKey(id))?.subarray(0, id.width * hashBytes) : undefined;
      });
      if (!bytes) throw noTile();
      return reply
        .headers({ ...anyOrigin, 'cache-control': 'public, max-age=31536000, immutable', 'content-type': 'application/octet-stream' })
        .send(id.level === bundleLevel ? entryBundle(bytes) : bytes);
    },
  );
}

/** Formats commitments as log entries, each after its length in two bytes. */
function entryBundle(commitments: Buffer): Buffer {
  const count = commitments.length / hashBytes;
  const bundle = Buffer.alloc(count * (2 + hashBytes));
  for (let i = 0; i < count; i += 1) {
    bundle.writeUInt16BE(hashBytes, i * (2 + hashBytes));
    commitments.copy(bundle, i * (2 + hashBytes) + 2, i * hashBytes, (i + 1) * hashBytes);
  }
  return bundle;
}
