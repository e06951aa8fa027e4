import { findSignatures } from './find-signatures.ts';

/** Who adds proofs does so a few times, and in few bytes. */
const most = { signatures: 8, bytes: 8 * 1024 * 1024 };

/** The ends of what was signed behind which stands nothing but what proves it: such a signature still covers the whole. */
export async function endsBeforeProofs(file: Buffer): Promise<ReadonlySet<number>> {
  const ends = new Set<number>();
  if (!file.subarray(0, 1_024).includes('%PDF-')) return ends;
  const found = findSignatures(file).filter(({ end }) => end > 0 && end < file.length && file.length - end <= most.bytes);
  if (found.length === 0 || found.length > most.signatures) return ends;
  // What it takes to compare is loaded where there is something to compare alone.
  const { onlyProofsBehind } = await import('./appended-validation-data.ts');
  // From the last one back, each piece is looked at once: where one is more than proofs, it is so behind all before it.
  let until = file.length;
  for (const { end } of found.toReversed()) {
    if (end < until && !(await onlyProofsBehind(file.subarray(0, until), end))) break;
    ends.add(end);
    until = end;
  }
  return ends;
}
