/** A small server for the part of S3 that file storage needs. It checks each signature and each hash as S3 does, and fails on demand. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const s3Credentials = { accessKeyId: 'AKIDTESTS', secretAccessKey: 'tests/secret+of+the+tests' };
const leastPart = 5 * 1024 * 1024;

type StoredObject = { bytes: Buffer; at: Date };
export type S3Request = { method: string; key: string; query: URLSearchParams; headers: IncomingMessage['headers']; size: number };
/** Responds in place of the server and returns `true`, or lets the server respond. */
export type InjectedError = (asked: S3Request, response: ServerResponse, serve: () => void) => boolean;

export type S3Server = {
  /** The settings `STORAGE_URL` and the credentials. */
  settings: Record<string, string>;
  endpoint: string;
  objects: Map<string, StoredObject>;
  uploads: Map<string, { key: string; at: Date; parts: Map<number, Buffer> }>;
  requests: S3Request[];
  injected: InjectedError | undefined;
  /** Rejects all connections, or accepts them again. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
};

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Verifies the signature of a request by the specification of Signature Version 4. */
function checkSignature({ method = '', url = '', headers }: IncomingMessage, body: Buffer): void {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!found) throw new Refusal(403, 'AccessDenied');
  const [, id, day = '', region = '', names = '', signature] = found;
  if (id !== s3Credentials.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.split(';').includes(needed)) throw new Refusal(403, 'AccessDenied');
  const { pathname, searchParams } = new URL(url, 'http://host');
  const query = [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const hash = String(headers['x-amz-content-sha256']);
  const canonical = [method, pathname, query, signed.join(''), names, hash].join('\n');
  const at = String(headers['x-amz-date']);
  const key = hmac(hmac(hmac(hmac(`AWS4${s3Credentials.secretAccessKey}`, day), region), 's3'), 'aws4_request');
  const expected = hmac(key, `AWS4-HMAC-SHA256\n${at}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`).toString('hex');
  if (expected !== signature) throw new Refusal(403, 'SignatureDoesNotMatch');
  if (region !== 'eu-test-1') throw new Refusal(400, 'AuthorizationHeaderMalformed');
  // Requires a hash in each request, because UNSIGNED-PAYLOAD would disable the comparison.
  if (sha256(body) !== hash) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
}

const xml = (response: ServerResponse, text: string) =>
  void response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);

export async function startS3(): Promise<S3Server> {
  const bucket = 'files-of-tests';
  const prefix = 'chancery/kept/';
  const objects: S3Server['objects'] = new Map();
  const uploads: S3Server['uploads'] = new Map();

  function upload(requests: S3Request) {
    const found = uploads.get(requests.query.get('uploadId') ?? '');
    if (found?.key !== requests.key) throw new Refusal(404, 'NoSuchUpload');
    return found;
  }

  /** Lists two objects a page, so that a short list has several pages. */
  function list({ query }: S3Request, response: ServerResponse): void {
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted();
    const page = keys.slice(0, Math.min(2, Number(query.get('max-keys') ?? 2)));
    const more = page.length < keys.length;
    const contents = page.map((key) => `<Contents><Key>${escaped(key)}</Key><Size>${objects.get(key)?.bytes.length}</Size></Contents>`);
    xml(
      response,
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${more}</IsTruncated>${contents.join('')}${
        more ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : ''
      }</ListBucketResult>`,
    );
  }

  function listUploads({ query }: S3Request, response: ServerResponse): void {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
    const shown = found.map(
      ([id, { key, at }]) =>
        `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
    );
    xml(response, `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${shown.join('')}</ListMultipartUploadsResult>`);
  }

  function complete(requests: S3Request, response: ServerResponse, body: Buffer): void {
    const { parts } = upload(requests);
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;([\da-f]+)&quot;<\/ETag>/g)];
    const bytes = named.map(([, number, tag], at) => {
      const part = parts.get(Number(number));
      if (!part || Number(number) !== at + 1 || sha256(part) !== tag) throw new Refusal(400, 'InvalidPart');
      if (at < named.length - 1 && part.length < leastPart) throw new Refusal(400, 'EntityTooSmall');
      return part;
    });
    if (bytes.length === 0) throw new Refusal(400, 'MalformedXML');
    objects.set(requests.key, { bytes: Buffer.concat(bytes), at: new Date() });
    uploads.delete(requests.query.get('uploadId') ?? '');
    xml(response, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }

  function get(requests: S3Request, response: ServerResponse): void {
    const kept = objects.get(requests.key);
    if (!kept) throw new Refusal(404, 'NoSuchKey');
    response.setHeader('last-modified', kept.at.toUTCString());
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(requests.headers.range ?? '') ?? [];
    if (from === undefined)
      return void response.setHeader('content-length', kept.bytes.length).end(requests.method === 'HEAD' ? undefined : kept.bytes);
    if (Number(from) >= kept.bytes.length) throw new Refusal(416, 'InvalidRange');
    const part = kept.bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    response.writeHead(206, {
      'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${kept.bytes.length}`,
      'content-length': part.length,
    });
    response.end(part);
  }

  function serve(requests: S3Request, response: ServerResponse, body: Buffer): void {
    const { method, key, query } = requests;
    const etag = `"${sha256(body)}"`;
    if (key === '') return query.has('uploads') ? listUploads(requests, response) : list(requests, response);
    if (method === 'GET' || method === 'HEAD') return get(requests, response);
    if (method === 'PUT' && query.has('uploadId')) {
      upload(requests).parts.set(Number(query.get('partNumber')), body);
      return void response.setHeader('etag', etag).end();
    }
    if (method === 'PUT') {
      objects.set(key, { bytes: body, at: new Date() });
      return void response.setHeader('etag', etag).end();
    }
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, { key, at: new Date(), parts: new Map() });
      return xml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (method === 'POST') return complete(requests, response, body);
    if (query.has('uploadId')) {
      upload(requests);
      uploads.delete(query.get('uploadId') ?? '');
    } else objects.delete(key);
    response.writeHead(204).end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://host');
    const refuse = ({ status, code }: Refusal) => {
      response.statusCode = status;
      if (request.method === 'HEAD') response.end();
      else xml(response, `<Error><Code>${code}</Code><Message>of the tests</Message></Error>`);
    };
    try {
      checkSignature(request, body);
      if (!pathname.startsWith(`/${bucket}/`)) throw new Refusal(404, 'NoSuchBucket');
      const requests: S3Request = {
        method: request.method ?? '',
        key: pathname.slice(bucket.length + 2),
        query,
        headers: request.headers,
        size: body.length,
      };
      server.requests.push(requests);
      const go = () => serve(requests, response, body);
      if (server.injected?.(requests, response, go) !== true) go();
    } catch (error) {
      refuse(error instanceof Refusal ? error : new Refusal(500, 'InternalError'));
    }
  }

  const listener = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const goAway = async (): Promise<void> => {
    listener.closeAllConnections();
    await new Promise((closed) => listener.close(closed));
  };
  const server: S3Server = {
    settings: {
      STORAGE_URL: `s3://${bucket}/${prefix}?endpoint=${endpoint}&region=eu-test-1&pathStyle=true`,
      AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    },
    endpoint,
    objects,
    uploads,
    requests: [],
    injected: undefined,
    goAway,
    comeBack: async () => void (await once(listener.listen(port, '127.0.0.1'), 'listening')),
    stop: goAway,
  };
  return server;
}

/** The S3 response to too many requests. */
export function slowDown(response: ServerResponse): true {
  response.statusCode = 503;
  xml(response, '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>');
  return true;
}
