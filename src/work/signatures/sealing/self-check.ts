import { checkMessage } from '../verifying/cms.ts';
import { findSignatures } from '../verifying/find-signatures.ts';
import type { SealOrder } from './pdf-sealer.ts';

/** Verifies a sealed file with code that is independent of the sealing. Throws if the file is not valid. */
export function check(sealed: Buffer, signedEnd: number, { presented, manner }: SealOrder): void {
  if (manner === 'append' && !sealed.subarray(0, presented.length).equals(presented))
    throw new Error('The sealed file does not begin with the presented file.');
  const own = findSignatures(sealed).filter((found) => found.end === signedEnd);
  const [found] = own;
  if (!found || own.length !== 1 || !('contents' in found))
    throw new Error('The sealed file must have exactly one signature that covers it.');
  const { about, sound, weak } = checkMessage(found.contents, found.signed);
  if (!about || !sound || weak) throw new Error('The signature of the sealed file is not valid.');
}
