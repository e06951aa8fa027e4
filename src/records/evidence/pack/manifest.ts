import { readFileSync } from 'node:fs';
import type { Contents } from './contents.ts';
import { explanation } from './page.ts';
import { bytesOf, type PackPart, sha256Hex } from './part.ts';

const verifier = readFileSync(new URL('verify.mjs', import.meta.url), 'utf8');

/** The contents of a pack. The journal contains its hash. */
export type Manifest = {
  format: 'chancery-evidence@1';
  packId: string;
  teamId: string;
  subject: { type: string; id: string; title: string };
  requestedAt: string;
  /** The resources whose journal entries are in the pack. */
  about: string[];
  leftOut: string[];
  files: { path: string; size: number; sha256: string; documentId?: string; version?: number }[];
};
type Head = Pick<Manifest, 'packId' | 'teamId' | 'subject' | 'requestedAt'>;

const listed = ({ path, size, sha256, documentId, version }: PackPart): Manifest['files'][number] => ({
  path,
  size,
  sha256,
  ...(documentId === undefined ? {} : { documentId }),
  ...(version === undefined ? {} : { version }),
});

/** The files that explain the pack and verify it. */
const companions = (head: Head, leftOut: readonly string[], parts: readonly PackPart[]): PackPart[] => [
  bytesOf('index.html', explanation(head, leftOut, parts)),
  bytesOf('verify.mjs', verifier),
];

/** Returns the text of a pack’s manifest, its hash and its number of files. */
export function manifestOf(head: Head, { targets, parts, leftOut }: Contents): { text: string; sha256: string; files: number } {
  const files = [...companions(head, leftOut, parts), ...parts].map(listed);
  const manifest: Manifest = { format: 'chancery-evidence@1', ...head, about: targets, leftOut, files };
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
  return { text, sha256: sha256Hex(text), files: files.length };
}

/** Returns the current files of a manifest. Returns undefined if one of them no longer matches its recorded hash. */
export function partsOfManifest(manifest: Manifest, { parts }: Contents): PackPart[] | undefined {
  const known = new Map(parts.map((part) => [part.path, part]));
  const kept = manifest.files.flatMap(({ path }) => known.get(path) ?? []);
  const { packId, teamId, subject, requestedAt, leftOut } = manifest;
  const all = [...companions({ packId, teamId, subject, requestedAt }, leftOut, kept), ...kept];
  const same = all.length === manifest.files.length && all.every(({ sha256 }, at) => manifest.files[at]?.sha256 === sha256);
  return same ? all : undefined;
}
