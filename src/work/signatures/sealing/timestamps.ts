import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Integer, Null, OctetString } from 'asn1js';
import { AlgorithmIdentifier, id_sha256, MessageImprint, PKIStatus, TimeStampReq, TimeStampResp } from 'pkijs';
import { readDer, writeDer } from '../../../platform/crypto/asn1.ts';
import { hashOf } from '../hash.ts';
import { checkMessage, timestampInfo } from '../verifying/cms.ts';

/** A timestamp of some bytes: the token (RFC 3161), and the time in it. */
export type Timestamp = { token: Buffer; time: Date };
export type Timestamps = (bytes: Uint8Array, signal?: AbortSignal) => Promise<Timestamp>;
/** Sends a request to an authority. Limits the size, the time and the reachable addresses. */
export type Ask = (url: string, init: { method?: string; headers?: Record<string, string>; body?: Uint8Array }) => Promise<Response>;

const tries = 3;
const betweenMs = 250;

/** Requests timestamps from an authority, with up to three attempts. Rejects responses that do not match the request. */
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
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: hashOf('sha256', [bytes]) }),
    }),
    // The first byte is 1, so that the integer is positive and has no leading zero.
    nonce: new Integer({ valueHex: Buffer.concat([Buffer.from([1]), randomBytes(8)]) }),
    certReq: true,
  });
  const response = await ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: writeDer(request),
  });
  if (response.status !== 200) throw new Error(`The timestamp authority returned status ${response.status}.`);
  return readReply(new Uint8Array(await response.arrayBuffer()), bytes, request);
}

/** Returns the token of a response after checking that the token is a timestamp of these bytes and answers this request. */
function readReply(reply: Uint8Array, bytes: Uint8Array, { nonce }: TimeStampReq): Timestamp {
  const { status, timeStampToken } = readDer(TimeStampResp, reply);
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (!isGranted || !timeStampToken) throw new Error(`The timestamp authority rejected the request with PKI status ${status.status}.`);
  // The check uses the same bytes as the final signature.
  const token = writeDer(timeStampToken);
  const checked = checkMessage(token, [Buffer.from(bytes)]);
  if (!checked.timestamp || !checked.about || !checked.sound || checked.weak || !checked.time)
    throw new Error('The response of the timestamp authority is not a valid timestamp of the data.');
  if (nonce === undefined || timestampInfo(token).nonce?.isEqual(nonce) !== true)
    throw new Error('The response of the timestamp authority is for another request.');
  return { token, time: checked.time };
}
