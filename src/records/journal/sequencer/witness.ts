import type { Checkpoint } from '../tree/checkpoint.ts';
import { ed25519, noteLine, parseSignatures, parseVerifierKey, type Verifier, verifies } from '../tree/note.ts';

/** An external service that stores the newest checkpoint it saw and cosigns only extensions of it (C2SP tlog-witness). */
export type Witness = { verifier: Verifier; url: string };

/** Thrown if the witness has seen a tree that the journal does not extend. The journal was then rolled back or forked. */
export class WitnessAlarm extends Error {}

const answerLimit = 64 * 1024;

/**
 * Parses `<verifier key> <address>, …`. Throws an error if one of them is invalid. The key is of type 4 (Ed25519) or 6 (ML-DSA-44), the types of
 * cosignatures.
 */
export function parseWitnesses(text: string): Witness[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [key = '', url = '', ...more] = each.split(/\s+/);
      if (!/^https?:\/\//.test(url) || !URL.canParse(url) || more.length > 0)
        throw new Error(
          'AUDIT_WITNESSES needs a verifier key and an address for each witness, such as `w.example+1a2b3c4d+BF… https://w.example`.',
        );
      const verifier = witnessKey(key);
      return { verifier, url: url.replace(/\/+$/, '') };
    });
}

function witnessKey(text: string): Verifier {
  let verifier: Verifier;
  try {
    verifier = parseVerifierKey(text);
  } catch (error) {
    throw new Error(`AUDIT_WITNESSES: ${error instanceof Error ? error.message : 'the key is invalid'}.`, { cause: error });
  }
  if (verifier.algorithm === ed25519)
    throw new Error(`AUDIT_WITNESSES: the key of ${verifier.name} is not a cosignature key (types 4 and 6).`);
  return verifier;
}

export type Submission = {
  checkpoint: Checkpoint;
  note: string;
  /** The size of the last tree that this witness is known to have cosigned. */
  from: number;
  prove: (from: number) => Promise<Buffer[]>;
  timeoutMs: number;
};

/**
 * Requests a cosignature with the consistency proof from the last size that the witness saw. If the witness responds with another size, retries once
 * from that size. Returns the signature line of the witness. Throws {@link WitnessAlarm} if the tree does not extend the tree that the witness saw.
 */
export async function askWitness(witness: Witness, submission: Submission): Promise<string> {
  const { checkpoint, note } = submission;
  const signal = AbortSignal.timeout(submission.timeoutMs);
  let from = Math.min(submission.from, checkpoint.size);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const proof = await submission.prove(from);
    const body = `old ${from}\n${proof.map((hash) => `${hash.toString('base64')}\n`).join('')}\n${note}`;
    const response = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body, signal, redirect: 'error' });
    const answer = await bounded(response);
    if (response.status === 200) return cosignature(witness, checkpoint, answer);
    if (response.status === 422)
      throw new WitnessAlarm(
        `the witness ${witness.verifier.name} reports that the tree of ${checkpoint.size} entries does not extend the one it saw`,
      );
    if (response.status !== 409) throw new Error(`the witness ${witness.verifier.name} responded with ${response.status}`);
    const seen = /^(0|[1-9]\d{0,15})\n?$/.exec(answer)?.[1];
    if (seen === undefined) throw new Error(`the witness ${witness.verifier.name} responded with 409 without a size`);
    from = Number(seen);
    if (from > checkpoint.size)
      throw new WitnessAlarm(
        `the witness ${witness.verifier.name} has seen a tree of ${from} entries, but the journal has ${checkpoint.size}: the journal was rolled back`,
      );
  }
  throw new Error(`the witness ${witness.verifier.name} reported two different sizes`);
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > answerLimit) throw new Error('the response of a witness is longer than any cosignature');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the verified line of the witness. Ignores lines of unknown keys. */
function cosignature(witness: Witness, checkpoint: Checkpoint, answer: string): string {
  const own = parseSignatures(answer)?.find((signature) => verifies(witness.verifier, checkpoint.text, signature));
  if (!own) throw new Error(`the witness ${witness.verifier.name} sent no cosignature that its key verifies`);
  return noteLine(own);
}
