import { findSignatures } from './find-signatures.ts';

/** Maximum number of updates that may add validation data. Software adds such data in few updates. */
const most = { signatures: 8, bytes: 8 * 1024 * 1024 };

/** Returns the ends of the signed ranges that only validation data follows. These signatures still cover the whole file. */
export async function endsBeforeProofs(file: Buffer): Promise<ReadonlySet<number>> {
  const ends = new Set<number>();
  if (!file.subarray(0, 1_024).includes('%PDF-')) return ends;
  const found = findSignatures(file).filter(({ end }) => end > 0 && end < file.length && file.length - end <= most.bytes);
  if (found.length === 0 || found.length > most.signatures) return ends;
  // Loads the PDF library only if a comparison is necessary.
  const { onlyProofsBehind } = await import('./appended-validation-data.ts');
  // Compares each part once, from the last signature to the first. A part with other content also invalidates the signatures before it.
  let until = file.length;
  for (const { end } of found.toReversed()) {
    if (end < until && !(await onlyProofsBehind(file.subarray(0, until), end))) break;
    ends.add(end);
    until = end;
  }
  return ends;
}
