import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { checkMessage } from '../verifying/cms.ts';
import { identifier, integer, nothing, octets, partsOf, sequence, truth } from '../../platform/crypto/der.ts';
import { digestNames, hashOf } from './signed-message.ts';

/** A timestamp over some bytes: the token (RFC 3161) and the time that its authority vouches for. */
export type Timestamp = { token: Buffer; time: Date };
export type Timestamps = (bytes: Uint8Array, signal?: AbortSignal) => Promise<Timestamp>;
/** Asks elsewhere, by connections that take so much and no more, and reach only where they may. */
export type Ask = (url: string, init: { method?: string; headers?: Record<string, string>; body?: Uint8Array }) => Promise<Response>;

const tries = 3;
const betweenMs = 250;

/** Asks an authority for timestamps, three times where it is away, and believes no answer that is not about what was asked. */
export function timestampsFrom(url: string, ask: Ask): Timestamps {
  return async (bytes, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        signal?.throwIfAborted();
        return await askOnce(url, ask, bytes);
      } catch (error) {
        if (attempt === tries || signal?.aborted) throw error;
        await wait(betweenMs * 2 ** attempt, undefined, { signal });
      }
    }
  };
}

async function askOnce(url: string, ask: Ask, bytes: Uint8Array): Promise<Timestamp> {
  const nonce = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const imprint = sequence(sequence(identifier(digestNames.sha256), nothing()), octets(hashOf('sha256', [bytes])));
  const response = await ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: sequence(integer(1), imprint, nonce, truth()),
  });
  if (response.status !== 200) throw new Error(`the timestamp authority answered ${response.status}`);
  return readReply(Buffer.from(await response.arrayBuffer()), bytes, nonce);
}

/** The token of an answer, once it is known to be a timestamp of these bytes that was made for this question. */
function readReply(reply: Buffer, bytes: Uint8Array, nonce: Buffer): Timestamp {
  const [status, token] = partsOf(partsOf(reply)[0]?.content ?? Buffer.alloc(0));
  const said = partsOf(status?.content ?? Buffer.alloc(0))[0]?.content;
  // Granted, or granted with changes that it names (RFC 3161, 2.4.2).
  if (!said || said.length !== 1 || said[0]! > 1 || !token)
    throw new Error(`the timestamp authority refused (${said?.toString('hex') ?? 'nothing'})`);
  const checked = checkMessage(token.raw, [Buffer.from(bytes)]);
  if (!checked.timestamp || !checked.about || !checked.sound || checked.weak || !checked.time)
    throw new Error('the answer of the timestamp authority is not a sound timestamp of what was asked');
  if (!nonceOf(token.raw)?.equals(nonce)) throw new Error('the answer of the timestamp authority is to another question');
  return { token: Buffer.from(token.raw), time: checked.time };
}

/** The number that a token repeats (RFC 3161, 2.4.2): the last whole number of what it vouches for. */
function nonceOf(token: Buffer): Buffer | undefined {
  const down = (bytes: Buffer, ...path: number[]): Buffer =>
    path.reduce((inner, at) => partsOf(inner)[at]?.content ?? Buffer.alloc(0), bytes);
  // ContentInfo, [0], SignedData, EncapsulatedContentInfo, [0], OCTET STRING.
  const info = down(token, 0, 1, 0, 2, 1, 0);
  return partsOf(down(info, 0))
    .slice(5)
    .findLast(({ tag }) => tag === 0x02)?.raw;
}
