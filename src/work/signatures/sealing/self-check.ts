import { checkMessage } from '../verifying/cms.ts';
import { findSignatures } from '../verifying/find-signatures.ts';
import type { SealOrder } from './pdf-sealer.ts';

/** Looks at what was made as a stranger would, before anybody is told that it is done. Throws where it does not hold. */
export function check(sealed: Buffer, signedEnd: number, { presented, manner }: SealOrder): void {
  if (manner === 'append' && !sealed.subarray(0, presented.length).equals(presented))
    throw new Error('what was presented does not stand at the beginning');
  const own = findSignatures(sealed).filter((found) => found.end === signedEnd);
  const [found] = own;
  if (!found || own.length !== 1 || !('contents' in found))
    throw new Error('there is not one signature that reaches the end of what was sealed');
  const { about, sound, weak } = checkMessage(found.contents, found.signed);
  if (!about || !sound || weak) throw new Error('the signature does not hold');
}
